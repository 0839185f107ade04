import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnv, run, runApart, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'

/** What a terminal shows and the exit code of a command line there, below no agent; `typed` is what its person types. */
function atTerminal(
  command: string,
  { cwd, typed, env }: { cwd: string; typed: string; env?: Record<string, string> },
) {
  const line = ['script', '-qec', command, '/dev/null']
  const { code, stdout } = runApart(line, { cwd, env: cleanEnv(env), input: typed, encoding: 'utf8' })
  return { code, shown: stdout.replaceAll('\r\n', '\n') }
}

const question = 'Trust this content? [y/N]'
const refused = 'and would set verify; look at it, then type: loop trust\n'

describe('a command that needs what nobody has trusted', () => {
  it('asks at a terminal, with all that would take effect, and goes on with a yes', () => {
    const settings = { verify: 'echo "\u001b[2J\nok"', push: true, guard: { rules: { 'rm.root': 'off' } } }
    const cwd = tempRepo({ 'loop.json': JSON.stringify(settings) })
    const asked = atTerminal('loop verify', { cwd, typed: 'y\n' })
    expect(asked.shown).toContain(
      `loop.json waits for your trust, and would set verify, push, guard.rules.rm.root:
  verify: "echo \\"\\u001b[2J\\nok\\""
  push: true
  guard.rules.rm.root: "off"
${question}
`,
    )
    expect(asked).toMatchObject({ code: 0, shown: expect.stringContaining('passed') })
    expect(run('loop', ['verify', '--again'], { cwd })).toMatchObject({ code: 0 })
    expect(atTerminal('loop verify', { cwd, typed: '' }).shown).not.toContain(question)
  })

  it('makes nothing before the answer, and all of it behind a yes', () => {
    const setup = 'echo once >>made'
    const cwd = tempRepo({ 'loop.json': JSON.stringify({ worktree: { setup } }) })
    const path = join(cwd, '.worktrees/loop')
    expect(atTerminal('loop worktree add x', { cwd, typed: 'n\n' })).toMatchObject({ code: 5 })
    expect(existsSync(path)).toBe(false)
    const made = atTerminal('loop worktree add x', { cwd, typed: 'yes\n' })
    expect(made).toMatchObject({ code: 0, shown: expect.stringContaining(`worktree.setup: "${setup}"\n${question}\n`) })
    expect(readFileSync(join(run('loop', ['worktree', 'path', 'x'], { cwd }).stdout.trim(), 'made'), 'utf8')).toBe(
      'once\n',
    )
  })

  it('exits 5 with the command to type at a no, and where nobody can be asked', () => {
    const cwd = tempRepo({ 'loop.json': '{"verify":"true"}' })
    for (const typed of ['n\n', '\n', 'maybe\n', '\u0004']) {
      const said = atTerminal('loop verify', { cwd, typed })
      expect([typed, said.code]).toEqual([typed, 5])
      expect(said.shown).toContain(question)
      expect(said.shown.endsWith(refused)).toBe(true)
    }
    const env = { CLAUDECODE: '1' }
    const unasked = [
      atTerminal('loop verify', { cwd, typed: 'y\n', env }),
      atTerminal('loop verify </dev/null', { cwd, typed: '' }),
      atTerminal('loop verify 2>&1 | cat; exit 5', { cwd, typed: 'y\n' }),
      atTerminal('loop verify --quiet', { cwd, typed: 'y\n' }),
    ]
    for (const { code, shown } of unasked) {
      expect([code, shown]).toEqual([5, expect.not.stringContaining(question)])
      expect(shown).toContain(refused)
    }
  })
})
