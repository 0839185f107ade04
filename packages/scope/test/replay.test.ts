// A recorded agent as an agent for tests: what it said, and what it wrote, again.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { git, tempFolder, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { replaySchema } from '../src/replay/replay-schema.ts'
import { type Sessions, sessions } from './sessions.ts'

type Tool = readonly [name: string, input: unknown, result?: string, failed?: boolean]

/** A session of Claude Code that has used these tools, and said something before and after each. */
function recorded(tools: (root: string) => readonly Tool[]) {
  const home = tempFolder('home')
  const at = sessions({ env: { HOME: home } })
  const lines = tools(at.root).flatMap(([name, input, result = 'ok', failed = false], turn) => [
    { type: 'assistant', message: { content: [{ type: 'text', text: `Now ${name}.` }] } },
    { type: 'assistant', message: { content: [{ type: 'tool_use', id: `t${turn}`, name, input }] } },
    {
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id: `t${turn}`, content: result, is_error: failed }] },
    },
  ])
  const path = join(home, '.claude', 'projects', '-a', 'conversation-1.jsonl')
  mkdirSync(dirname(path), { recursive: true })
  const told = { type: 'user', message: { content: 'Tidy up' } }
  const answer = { type: 'assistant', message: { content: [{ type: 'text', text: 'Done as told.' }] } }
  writeFileSync(path, `${[told, ...lines, answer].map((line) => JSON.stringify(line)).join('\n')}\n`)
  const id = at.spawn('Tidy up')
  at.wait(id)
  const file = join(tempFolder('recordings'), 'tidy.json')
  writeFileSync(file, at.scope(['trajectory', id, '--json']).stdout)
  return { ...at, id, file }
}

const read = (...names: readonly string[]) => readFileSync(join(...names), 'utf8')
const replayedBy = (at: Pick<Sessions, 'scope'>, args: readonly string[], cwd: string) => {
  const done = at.scope(['replay', '--json', ...args], { cwd, input: 'anything' })
  return { ...done, replayed: done.code === 0 ? replaySchema.parse(JSON.parse(done.stdout)) : undefined }
}

const tidying = (root: string): readonly Tool[] => [
  ['Read', { file_path: join(root, 'a.txt') }],
  ['Write', { file_path: join(root, 'new', 'b.txt'), content: 'b\n$& é\n' }],
  ['Edit', { file_path: join(root, 'a.txt'), old_string: 'one', new_string: '$1 two' }],
  ['Edit', { file_path: join(root, 'a.txt'), old_string: 'not there', new_string: 'x' }, 'no such text', true],
  ['MultiEdit', { file_path: 'a.txt', edits: [{ old_string: 'x', new_string: 'y', replace_all: true }] }],
  ['Bash', { command: 'touch ran' }],
  ['Write', { file_path: '/nowhere/of/mine', content: '' }],
]

describe('scope replay', () => {
  it('says the answer again and makes the edits again in the current folder, from a session or from a file', () => {
    const at = recorded(tidying)
    for (const args of [[at.id], ['-F', at.file]]) {
      const cwd = tempRepo({ 'a.txt': 'one\nx x\none\n' })
      const { code, stderr, replayed } = replayedBy(at, args, args.length === 1 ? placed(at, cwd) : cwd)
      const into = args.length === 1 ? at.root : cwd
      expect(code, stderr).toBe(0)
      expect(replayed).toEqual({
        ...{ v: 1, session: at.id, text: 'Done as told.', edits: 3, left_out: ['/nowhere/of/mine'], other_tools: 3 },
      })
      expect([read(into, 'a.txt'), read(into, 'new', 'b.txt')]).toEqual(['$1 two\ny y\none\n', 'b\n$& é\n'])
      expect(stderr).toContain('Now MultiEdit.\nNow Bash.\n')
      expect(stderr).toContain('left out: /nowhere/of/mine lies outside')
      expect(git(into, 'status', '--short').split('\n').sort()).toEqual(expect.not.arrayContaining(['?? ran']))
    }
  })

  it('is an agent of scope run, and one of the settings', () => {
    const at = recorded(tidying)
    const command = ['scope', 'replay', '-F', at.file]
    const cwd = tempRepo({ 'a.txt': 'one\nx\n' })
    const turn = at.scope(['run', '--json', '--', ...command], { cwd, input: 'Tidy up' })
    expect(JSON.parse(turn.stdout)).toMatchObject({ text: 'Done as told.\n', outcome: 'done', cost_usd: null })
    expect(read(cwd, 'a.txt')).toBe('$1 two\ny\n')
    expect(at.scope(['config', 'agents.again.command', JSON.stringify(command)]).code).toBe(0)
    at.write('a.txt', 'one\nx\n')
    const id = at.spawn('Tidy up', '--agent', 'again')
    expect(at.wait(id).waited.results).toMatchObject([{ status: 'done', result: 'Done as told.\n' }])
    expect(read(at.root, 'a.txt')).toBe('$1 two\ny\n')
  })

  it('fails with 1 where a file is not as it was, and makes nothing through a link', () => {
    const at = recorded(tidying)
    const other = tempRepo({ 'a.txt': 'three\n' })
    expect(replayedBy(at, ['-F', at.file], other)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('a.txt as the recorded agent found it, the text that was replaced is not in it'),
    })
    const linked = tempRepo({ 'a.txt': 'one\n' })
    const away = tempFolder('away')
    symlinkSync(away, join(linked, 'new'))
    expect(replayedBy(at, ['-F', at.file], linked)).toMatchObject({ code: 5, stderr: expect.stringContaining('link') })
    const inGit = tempRepo({ 'a.txt': 'one\n' })
    symlinkSync('.git', join(inGit, 'new'))
    expect(replayedBy(at, ['-F', at.file], inGit)).toMatchObject({ code: 5, stderr: expect.stringContaining('link') })
    expect(existsSync(join(inGit, '.git', 'b.txt'))).toBe(false)
    const tool = ['Write', { file_path: '.git/hooks/pre-commit', content: 'x' }] as const
    // Where names have no case this is the same folder.
    const shouted = ['Write', { file_path: '.GIT/hooks/pre-commit', content: 'x' }] as const
    const outside = recorded((root) => [tool, shouted, ['Write', { file_path: `${root}/../up`, content: 'x' }]])
    const { replayed } = replayedBy(outside, ['-F', outside.file], tempRepo())
    expect(replayed).toMatchObject({
      edits: 0,
      left_out: ['.git/hooks/pre-commit', '.GIT/hooks/pre-commit', `${outside.root}/../up`],
    })
  })

  it('applies the patches of Codex: files that it adds, changes and deletes', () => {
    const at = sessions()
    const patch = `*** Begin Patch
*** Add File: src/new.ts
+one
+
*** Update File: a.txt
@@ fn
 one
-two
+2
@@
 four
+five
*** Delete File: old.txt
*** End Patch`
    const step = { v: 1, session: '3', at: null, tool: null, summary: '', failed: false, cwd: '/work' }
    const steps = [
      { ...step, step: 'tool', tool: 'apply_patch', text: JSON.stringify({ input: patch }) },
      { ...step, step: 'tool-result', text: 'Success' },
      { ...step, step: 'text', text: 'Patched.' },
    ]
    const file = join(tempFolder('recordings'), 'patch.jsonl')
    writeFileSync(file, steps.map((one) => `${JSON.stringify(one)}\n`).join(''))
    const cwd = tempRepo({ 'a.txt': 'one\ntwo\nthree\nfour\n', 'old.txt': 'x' })
    expect(replayedBy(at, ['-F', file], cwd).replayed).toMatchObject({ text: 'Patched.', edits: 4, session: '3' })
    expect([read(cwd, 'src', 'new.ts'), read(cwd, 'a.txt')]).toEqual(['one\n\n', 'one\n2\nthree\nfour\nfive\n'])
    expect(git(cwd, 'status', '--short')).toContain(' D old.txt')
  })

  it('says the answer alone where no transcript can be read, and why it cannot be done', () => {
    const at = sessions({ env: { HOME: tempFolder('home') } })
    const id = at.spawn('Look')
    at.wait(id)
    expect(replayedBy(at, [id], at.root).replayed).toMatchObject({ text: 'Done as told.', edits: 0 })
    const loop = at.spawn('Make it', '--checker', 'true')
    at.wait(loop)
    expect(at.scope(['replay', loop]).stderr).toContain(
      `${loop} is a loop; name one of its sessions, such as ${loop}-0-do`,
    )
    at.write('none.json', '{"v":1}')
    for (const [args, code, said] of [
      [[], 2, 'expected a session or --file, got neither'],
      [[id, '-F', 'x'], 2, 'got both'],
      [['-F', 'none.json'], 2, 'it holds something else'],
      [['-F', 'nowhere.json'], 2, 'there is no such file'],
      [['9'], 3, 'there is no session 9'],
    ] as const) {
      expect(at.scope(['replay', ...args])).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(said) })
    }
  })
})

/** The folder in which the session worked, with the files that it began with. */
function placed(at: Pick<Sessions, 'root' | 'write'>, cwd: string): string {
  at.write('a.txt', read(cwd, 'a.txt'))
  return at.root
}
