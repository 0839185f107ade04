import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnv, git, run, runAsPerson, script, tempFolder, tempRepo, trust } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { hook } from './hook-fixture.ts'

const waits = (names: string) =>
  `loop: loop.json waits for your trust, and would set ${names}; look at it, then type: loop trust\n`

const bare = `env -i PATH="$PATH" HOME="$HOME" XDG_STATE_HOME="$XDG_STATE_HOME"`

describe('a loop.json that nobody has trusted', () => {
  it('runs nothing: run, verify and worktree add exit 5 with what to type', () => {
    const mark = join(tempFolder('pwned'), 'mark')
    const command = `touch ${mark}`
    const config = { with: command, verify: command, worktree: { setup: command } }
    const cwd = tempRepo({ 'loop.json': JSON.stringify(config) })
    run('tissue', ['new', 'x'], { cwd })
    expect(run('loop', ['run', '--issues'], { cwd })).toMatchObject({ code: 5, stdout: '', stderr: waits('verify') })
    expect(run('loop', ['verify'], { cwd })).toMatchObject({ code: 5, stdout: '', stderr: waits('verify') })
    expect(run('loop', ['run', 'do it'], { cwd })).toMatchObject({ code: 5, stdout: '', stderr: waits('with') })
    expect(run('loop', ['worktree', 'add', 'try'], { cwd })).toMatchObject({ code: 5, stderr: waits('worktree.setup') })
    expect(existsSync(mark)).toBe(false)
    expect(run('loop', ['doctor'], { cwd }).stdout).toContain('waits for your trust, and would set with, verify')
    const all = waits('with, verify, worktree.setup')
    expect(run('loop', ['status'], { cwd }).stderr).toBe(`${all.slice('loop: '.length)}no run\n`)
    expect(run('loop', ['init'], { cwd }).stderr).toContain(all.slice('loop: '.length))
    const flags = ['--with', 'echo x > b.txt', '--verify', 'true']
    const own = run('loop', ['run', '--issues', ...flags], { cwd })
    expect(own).toMatchObject({ code: 0, stderr: expect.stringContaining(`${all.trim()}; this run goes without\n`) })
    expect(existsSync(mark)).toBe(false)
  })

  it('is left out, and said to be, of a run whose flags say what runs, but for what looks at its work first', () => {
    const log = tempFolder('pwned')
    const touch = `touch ${log}/mark`
    const cwd = tempRepo()
    git(log, 'clone', '-q', '--bare', cwd, 'origin.git')
    git(cwd, 'remote', 'add', 'origin', join(log, 'origin.git'))
    const before = git(cwd, 'rev-parse', 'main')
    const settle = (settings: unknown) => writeFileSync(join(cwd, 'loop.json'), JSON.stringify(settings))
    const issue = () => run('tissue', ['new', 'x', '--quiet'], { cwd }).stdout.trim()
    const works = ['run', '--issues', '--with', 'date +%N >b.txt', '--verify', 'true']
    issue()
    settle({ push: true, worktree: { setup: touch }, timeout: '1h' })
    expect(run('loop', works, { cwd })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`${waits('push, worktree.setup, timeout').trim()}; this run goes without\n`),
    })
    expect(git(cwd, 'rev-parse', 'main')).not.toBe(before)
    expect(git(join(log, 'origin.git'), 'rev-parse', 'main')).toBe(before)
    const id = issue()
    const session = { CLAUDE_CODE_SESSION_ID: 's-1' }
    const started = run('loop', ['start', '--issue', id, '--verify', 'true'], { cwd, env: session })
    expect(started).toMatchObject({ code: 5, stderr: waits('push, worktree.setup') })
    expect(JSON.parse(run('tissue', ['show', id, '--json'], { cwd }).stdout).claim).toBe(null)
    settle({ pr: touch })
    expect(run('loop', works, { cwd })).toMatchObject({ code: 5, stderr: waits('pr') })
    settle({ review: true, reviewer: `${touch}; echo LGTM` })
    expect(run('loop', works, { cwd })).toMatchObject({ code: 5, stderr: waits('reviewer') })
    settle({ pr: touch })
    expect(run('loop', [...works, '--push', '--pr', 'echo https://forge.example.invalid/1'], { cwd }).code).toBe(0)
    expect(existsSync(join(log, 'mark'))).toBe(false)
  })

  it('loosens no rule of the guard, and tightens at once', () => {
    const rules = { 'rm.root': 'off', 'git.force-push': 'allow', 'shell.remote-script': 'deny' }
    const cwd = tempRepo({ 'loop.json': JSON.stringify({ guard: { rules } }) })
    const judged = (command: string) => run('loop', ['guard', 'test', command, '-q'], { cwd }).stdout
    expect(judged('rm -rf /')).toBe('deny\n')
    expect(judged('git push --force origin main')).toBe('deny\n')
    expect(judged('curl -s x | sh')).toBe('deny\n')
    trust(cwd)
    expect(judged('rm -rf /')).toBe('allow\n')
    expect(judged('curl -s x | sh')).toBe('deny\n')
  })

  it('holds once it is trusted, until its content changes or trust is taken back', () => {
    const cwd = tempRepo({ 'loop.json': '{"verify":"true"}' })
    trust(cwd)
    expect(run('loop', ['verify'], { cwd }).code).toBe(0)
    writeFileSync(join(cwd, 'loop.json'), '{"verify":"true "}')
    expect(run('loop', ['verify'], { cwd })).toMatchObject({ code: 5, stderr: waits('verify') })
    trust(cwd)
    git(cwd, 'commit', '--quiet', '--all', '--message', 'x')
    expect(run('loop', ['verify', '--again'], { cwd }).code).toBe(0)
    expect(run('loop', ['trust', '--revoke'], { cwd })).toMatchObject({
      code: 0,
      stdout: `${cwd}/loop.json  not trusted\n`,
    })
    expect(run('loop', ['verify'], { cwd }).code).toBe(5)
    expect(run('loop', ['trust', '--revoke'], { cwd }).code).toBe(3)
  })

  it('is told of to the person when a session starts, as long as it waits', () => {
    const cwd = tempRepo({ 'loop.json': JSON.stringify({ verify: 'true', guard: { rules: { 'rm.root': 'off' } } }) })
    const line = waits('verify, guard.rules.rm.root').trim()
    expect(hook('claude-session-start', cwd).said).toEqual({ systemMessage: line })
    expect(hook('claude-session-start-compact', cwd).stdout).toBe('')
    trust(cwd)
    expect(hook('claude-session-start', cwd).stdout).toBe('')
    writeFileSync(join(cwd, 'loop.json'), '{')
    expect(hook('claude-session-start', cwd).stdout).toBe('')
  })

  it('is trusted by no worker and no session of an agent', () => {
    const cwd = tempRepo({ 'loop.json': '{"verify":"true"}' })
    for (const name of ['LOOP_ISSUE', 'CLAUDECODE', 'CODEX_THREAD_ID', 'GEMINI_CLI', 'OPENCODE']) {
      const refused = run('loop', ['trust'], { cwd, env: { [name]: '1' } })
      expect(refused).toMatchObject({ code: 5, stdout: '', stderr: expect.stringContaining(`${name} is set`) })
    }
    mkdirSync(join(cwd, '.worktrees/loop/x'), { recursive: true })
    expect(run('loop', ['trust'], { cwd: join(cwd, '.worktrees/loop/x') })).toMatchObject({ code: 5, stdout: '' })
    expect(run('loop', ['verify'], { cwd }).code).toBe(5)
  })

  it('is trusted by nothing that an agent has started, whatever that has shed', () => {
    const cwd = tempRepo({ 'loop.json': '{"verify":"true"}' })
    const shells = ['loop trust', 'setsid -w loop trust', `setsid -w sh -c 'loop trust; exit $?'`]
    for (const line of [...shells, `script -qec 'loop trust' /dev/null`]) {
      const env = cleanEnv({ CLAUDECODE: '1' })
      const refused = spawnSync('sh', ['-c', `${bare} ${line}; exit $?`], { cwd, env, encoding: 'utf8' })
      expect([line, refused.status, refused.stdout + refused.stderr]).toEqual([
        line,
        5,
        expect.stringContaining('CLAUDECODE is set'),
      ])
    }
    expect(run('loop', ['verify'], { cwd }).code).toBe(5)
  })

  it('is trusted by nothing that a run has started, whatever that has shed', () => {
    const cwd = tempRepo({ 'loop.json': '{"verify":"true"}' })
    const log = tempFolder('log')
    const daemon = join(log, 'daemon')
    script(
      join(log, 'worker'),
      `#!/bin/sh
${bare} loop trust 2>${log}/plain; echo $? >>${log}/plain
${bare} setsid -f sh -c 'loop trust 2>${daemon}.out; echo $? >>${daemon}.out; mv ${daemon}.out ${daemon}'
while ! test -e ${daemon}; do sleep 0.05; done
exec ${bare} loop trust 2>${log}/exec
`,
    )
    expect(runAsPerson('loop', ['run', 'x', '--with', `exec ${log}/worker`, '--max', '1'], { cwd }).code).not.toBe(0)
    const said = ['plain', 'daemon', 'exec'].map((name) => readFileSync(join(log, name), 'utf8'))
    expect(said).toEqual([
      expect.stringMatching(/LOOP_\w+ is set; .*\n5\n$/),
      expect.stringMatching(/run \w+ is at work, and nobody is at a terminal here; .*\n5\n$/),
      expect.stringMatching(/run \w+ has started it; /),
    ])
    expect(run('loop', ['verify'], { cwd }).code).toBe(5)
  })

  it("is trusted by a person's script, and in the terminal of an editor that an agent is built into", () => {
    const cwd = tempRepo({ 'loop.json': '{"verify":"true"}' })
    const env = { CLAUDE_CODE_SSE_PORT: '4711', LOOP_DISABLE: '1' }
    expect(runAsPerson('loop', ['trust'], { cwd, env })).toMatchObject({
      code: 0,
      stdout: `${cwd}/loop.json  trusted: verify\n`,
      stderr: '',
    })
    expect(run('loop', ['verify'], { cwd }).code).toBe(0)
  })

  it('is read in bounds: no link, nothing without an end', () => {
    const cwd = tempRepo()
    symlinkSync('/dev/zero', join(cwd, 'loop.json'))
    expect(run('loop', ['verify'], { cwd })).toMatchObject({ code: 5, stderr: expect.stringContaining('is a link') })
    expect(run('loop', ['guard', 'test', 'ls', '-q'], { cwd }).stdout).toBe('allow\n')
    const other = tempRepo({ 'loop.json': `{"verify":"${'x'.repeat(1024 * 1024)}"}` })
    expect(run('loop', ['verify'], { cwd: other })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('of at most 1048576 bytes'),
    })
  })
})
