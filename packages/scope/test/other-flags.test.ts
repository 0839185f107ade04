import { expect, it } from 'vitest'
import { guide } from '../src/verb-guide.ts'
import { verbs } from '../src/verbs.ts'
import { sessions } from './sessions.ts'

const other = Object.entries(guide.otherFlags ?? {}).map(([typed, hint]): [string[], string] => [
  typed.split(' '),
  hint,
])

it('flags that other tools of the kind have are answered with what does the same here', () => {
  const at = sessions()
  for (const [words, hint] of other) {
    const [verb = '', flag = ''] = words.length === 1 ? ['spawn', ...words] : words
    const { code, stdout, stderr } = at.scope([verb, 'x', flag])
    expect([words, code, stdout, stderr]).toEqual([
      words,
      2,
      '',
      `scope: expected a flag that exists, got ${JSON.stringify(flag)}; ${hint}\n`,
    ])
  }
  expect(at.scope(['--dangerously-skip-permissions']).stderr).toContain('; say --access full')
  expect(at.scope(['list', '--al']).stderr).toContain('did you mean --all?')
})

it('no flag of our own stands among them, and each is of a verb', async () => {
  for (const [words] of other) {
    const [verb, flag = ''] = words.length === 1 ? [undefined, ...words] : words
    const named = verb === undefined ? Object.values(verbs) : [verbs[verb]]
    for (const load of named) {
      const spec = await load?.()
      expect([verb, spec === undefined]).toEqual([verb, false])
      expect(Object.keys(spec?.flags ?? {})).not.toContain(flag.replace(/^-+/, ''))
    }
  }
})
