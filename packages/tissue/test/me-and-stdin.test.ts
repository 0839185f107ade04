// `me` is whoever calls and is stored by name; `-` in the place of a text is stdin.
import { run, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { recordsIn } from './fixture.ts'

function fresh() {
  const root = tempRepo()
  const as = (who: string) => (args: readonly string[], input?: string) =>
    run('tissue', args, { cwd: root, env: { JWZ_AGENT: who }, ...(input === undefined ? {} : { input }) })
  const ada = as('ada')
  const make = (...args: string[]) => ada(['new', ...args, '-q']).stdout.trim()
  const shown = (id: string) => JSON.parse(ada(['show', id, '--json']).stdout)
  return { root, ada, bob: as('bob'), make, shown }
}

describe('me', () => {
  it('is the caller for whom an issue is meant, however that is said, and is never stored', () => {
    const { root, ada, bob, make, shown } = fresh()
    const ids = [make('one', '--assignee', 'me'), make('two', '--assignee', '@me'), make('three')]
    expect(ada(['edit', ids[2] ?? '', '--assignee', 'me']).code).toBe(0)
    const plan = '{"issues":[{"name":"a","title":"four","assignee":"me"}]}'
    ids.push(ada(['new', '--plan', '-', '-q'], plan).stdout.trim())
    const acts = '{"verb":"new","title":"five","assignee":"@me"}\n'
    ids.push(ada(['batch', '-', '-q'], acts).stdout.trim())
    const handed = make('six')
    bob(['claim', handed])
    expect(bob(['release', handed, '--to', 'me']).code).toBe(0)
    expect(ids.map((id) => shown(id).assignee)).toEqual(ids.map(() => 'ada'))
    expect(shown(handed).assignee).toBe('bob')
    expect(JSON.stringify(recordsIn(root))).not.toMatch(/"@?me"/)
    expect(ada(['edit', ids[0] ?? '', '--assignee', 'me', '-q']).code).toBe(0)
    for (const flags of [['--mine'], ['--assignee', 'me'], ['--assignee', '@me'], ['--query', 'assignee:@me']]) {
      const listed = ada(['list', ...flags, '-q'])
        .stdout.trim()
        .split('\n')
      expect(listed.sort(), flags.join(' ')).toEqual([...ids].sort())
    }
    expect(ada(['claim', '--next', '-q']).code).toBe(0)
    expect(bob(['claim', '--next', '-q']).stdout.trim()).toBe(handed)
  })
})

describe('- as a value', () => {
  it('is stdin behind every flag that takes a text, byte for byte', () => {
    const { ada, make, shown } = fresh()
    const text = '"a b"\n\tc\n'
    const id = ada(['new', 'B', '-b', '-', '-q'], text).stdout.trim()
    expect(shown(id).body).toBe(text)
    expect(ada(['edit', id, '--append', '-'], text).code).toBe(0)
    expect(shown(id).body).toContain(text.trim())
    expect(ada(['edit', id, '--body', '-', '--accept', 'x'], 'anew').code).toBe(0)
    expect(ada(['comment', id, '-m', '-'], text).code).toBe(0)
    expect(shown(id)).toMatchObject({ body: 'anew', comments: [{ body: text }] })
    expect(ada(['close', id, '--reason', '-'], 'fixed in a1b2c3').code).toBe(0)
    expect(shown(id).close_reason).toBe('fixed in a1b2c3')
    expect(ada(['edit', make('other'), '--body', '-', '--accept', '-'], text)).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: 'tissue: expected one - for stdin, got 2; there is one stdin; give the others as a text or a file\n',
    })
  })
})
