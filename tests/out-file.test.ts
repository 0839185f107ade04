// Verbs that write to a file or a folder which somebody names: it is made, with the folders above it, or one line says what
// to do.
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, type ToolName, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'

/** What a verb is told to write, and the file that is there then. */
type Writes = { tool: ToolName; args: (at: string) => string[]; made: (at: string) => string }

const itself = (at: string) => at
const writers: Record<string, Writes> = {
  'jwz show --attachment': { tool: 'jwz', args: (at) => ['show', 'ID', '--attachment', 'f', '-o', at], made: itself },
  'jwz export': { tool: 'jwz', args: (at) => ['export', '--out', at], made: itself },
  'jwz export of a page': {
    ...{ tool: 'jwz', made: itself },
    args: (at) => ['export', 't', '--format', 'html', '--out', at],
  },
  'jwz export of pages': {
    tool: 'jwz',
    args: (at) => ['export', '--format', 'html', '--out', at],
    made: (at) => join(at, 'index.html'),
  },
  'jwz compact': {
    tool: 'jwz',
    args: (at) => ['compact', '--older-than', '0s', '--archive', at],
    made: (at) => join(at, 'topics'),
  },
  'tissue export': { tool: 'tissue', args: (at) => ['export', '-o', at], made: itself },
  'tissue export of a view': { tool: 'tissue', args: (at) => ['export', '--format', 'csv', '-o', at], made: itself },
  'tissue board --html': { tool: 'tissue', args: (at) => ['board', '--html', '-o', at], made: itself },
  'loop ask': { tool: 'loop', args: (at) => ['ask', 'q', '--with', 'echo a', '-o', at], made: itself },
  'loop plugin build': {
    tool: 'loop',
    args: (at) => ['plugin', 'build', '--host', 'gemini', '--out', at],
    made: (at) => join(at, 'hooks'),
  },
}

function place() {
  const cwd = tempRepo()
  chmodSync(cwd, 0o755)
  writeFileSync(join(cwd, 'f'), 'bytes')
  const id = run('jwz', ['post', 't', '-m', 'x', '--attach', 'f'], { cwd }).stdout.trim()
  run('tissue', ['new', 'x'], { cwd })
  return (name: string, at: string) => {
    const { tool, args } = writers[name] ?? { tool: 'jwz', args: () => [] }
    const given = args(at).map((word) => (word === 'ID' ? id : word))
    return { cwd, ...run(tool, given, { cwd, unprivileged: true }) }
  }
}

describe('a place that somebody names to be written', () => {
  it.each(Object.entries(writers))('is made, with the folders above it: %s', (name, { made }) => {
    const { cwd, code, stderr } = place()(name, 'a/b/out')
    expect({ code, error: /answered/.exec(stderr) }).toEqual({ code: 0, error: null })
    expect(existsSync(join(cwd, made('a/b/out')))).toBe(true)
  })

  it.each(Object.keys(writers))('that the disk refuses is one line with advice, and nothing is written: %s', (name) => {
    const write = place()
    const { cwd } = write(name, join('/proc', 'no', 'folder', 'out'))
    mkdirSync(join(cwd, 'closed'), { mode: 0o555 })
    const taken = 'a file has the place of a folder; name another place'
    for (const [at, answer, advice] of [
      ['f/out', 'E(EXIST|NOTDIR)', taken],
      ['f/deeper/out', 'E(EXIST|NOTDIR)', taken],
      ['closed/out', 'EACCES', 'give this user the right, or name another place'],
    ] as const) {
      const { code, stdout, stderr } = write(name, at)
      expect({ at, code, stdout }).toEqual({ at, code: 1, stdout: '' })
      const [said = '', ...more] = stderr.split('\n').filter((line) => line.includes('answered'))
      expect([said, more]).toEqual([
        expect.stringMatching(
          new RegExp(`^\\w+: .* was to be (written|made), the disk answered ${answer}; ${advice}$`),
        ),
        [],
      ])
    }
    expect([statSync(join(cwd, 'f')).size, readdirSync(join(cwd, 'closed'))]).toEqual([5, []])
  })
})
