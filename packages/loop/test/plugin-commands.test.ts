import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cleanEnv, git, run, start, tempFolder, tempRepo, trust } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { landedIds, ok, show, write } from './place.ts'
import { answered, sessionAt } from './session-place.ts'

const out = join(tempFolder('plugin'), 'claude')
ok(run('loop', ['plugin', 'build', '--host', 'claude', '--out', out], { cwd: tempFolder('none') }))

/** The lines of shell that a command of the built plugin tells the agent to run. */
function linesOf(command: string): string[] {
  const text = readFileSync(join(out, 'commands', `${command}.md`), 'utf8')
  const allowed = /^allowed-tools: Bash\((.+):\*\)$/m.exec(text)?.[1] ?? 'none'
  const lines = [...text.matchAll(/`([^`]+)`/g)].map(([, line = '']) => line)
  expect(lines.filter((line) => line.startsWith('loop ') && !line.startsWith(allowed))).toEqual([])
  return lines
}

/**
 * A repository with an issue, and the agent of a session there; it runs a line as its tool does, and the guard sees it
 * first. The person says yes to the one question that /loop:cancel costs, and is asked none besides.
 */
function session(settings?: unknown) {
  const root = tempRepo({ 'a.txt': 'one\n' })
  if (settings !== undefined) write(root, 'loop.json', JSON.stringify(settings))
  const id = ok(run('tissue', ['new', 'Add b', '--quiet'], { cwd: root })).stdout.trim()
  const env = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 's-1' }
  const execute = (line: string) => {
    const { status, stdout, stderr } = spawnSync('bash', ['-c', line], {
      cwd: root,
      env: cleanEnv(env),
      encoding: 'utf8',
    })
    return { code: status, stdout, stderr }
  }
  const judged = (line: string) => {
    const tool = { tool_name: 'Bash', tool_input: { command: line }, hook_event_name: 'PreToolUse', session_id: 's-1' }
    const input = JSON.stringify({ ...tool, cwd: root })
    const { stdout } = run('loop', ['hook', '--host', 'claude'], { cwd: root, env, input })
    return stdout === '' ? undefined : JSON.parse(stdout).hookSpecificOutput
  }
  const bash = (line: string) => {
    const verdict = judged(line)
    return verdict === undefined
      ? execute(line)
      : { code: verdict.permissionDecision, stdout: '', stderr: verdict.permissionDecisionReason }
  }
  const cancels = () => {
    expect(judged(cancel)).toMatchObject({
      permissionDecision: 'ask',
      permissionDecisionReason: expect.stringContaining('loop.cancel'),
    })
    return execute(cancel)
  }
  return { root, id, bash, cancels, stop: sessionAt({ root }, 's-1').stop }
}

const [startTask = '', check = '', startIssues = ''] = linesOf('loop').filter((line) => /^(?:loop|--)/.test(line))
const [cancel = ''] = linesOf('cancel')
const task = `${startTask.replace('TASK', 'Tidy up')} ${check.replace('COMMAND', 'test -e done')}`

describe('the commands of the plugin in a fresh repository', () => {
  it('begin and end a task, and say what issues lack', () => {
    const { bash, cancels, stop } = session()
    expect(cancels()).toEqual({
      code: 3,
      stdout: '',
      stderr: 'loop: expected a run that is not over, there is none; loop status --all\n',
    })
    expect(bash(startIssues)).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'loop: expected a command that verifies the work, got none; loop init writes one that fits the project into loop.json; or give --verify CMD\n',
    })
    const begun = bash(task)
    expect(begun).toMatchObject({ code: 0, stderr: '' })
    expect(begun.stdout).toMatch(
      /^Iteration 1 of 10 .*\n\n## The task\nTidy up\n.*decides whether it is: test -e done\n/s,
    )
    expect(answered(stop('Later.')).block).toContain('Iteration 2 of 10')
    expect(cancels()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\w{26} {2}cancel {2}asked; /) })
    expect(answered(stop('I stop.')).block).toBeUndefined()
    expect(cancels()).toMatchObject({ code: 3, stdout: '' })
  })
})

describe('the commands of the plugin where nobody has trusted loop.json', () => {
  it('work a task, refuse issues with what the person has to type, and the agent cannot type it', () => {
    const { root, id, bash, cancels, stop } = session({ verify: 'test -e b.txt' })
    expect(bash(startIssues)).toEqual({
      code: 5,
      stdout: '',
      stderr: 'loop: loop.json waits for your trust, and would set verify; look at it, then type: loop trust\n',
    })
    expect(show(root, id)).toMatchObject({ status: 'open', claim: null })
    expect(bash('loop trust')).toMatchObject({ code: 'deny', stderr: expect.stringContaining('loop.trust') })
    expect(bash(task)).toMatchObject({ code: 0, stderr: '' })
    expect(cancels()).toMatchObject({ code: 0 })
    expect(answered(stop('I stop.')).block).toBeUndefined()
  })
})

describe('the commands of the plugin where loop.json is trusted', () => {
  it('work issues until they have landed, and give one back that is cancelled', () => {
    const { root, id, bash, cancels, stop } = session({ verify: 'test -e b.txt' })
    trust(root)
    const begun = bash(startIssues)
    expect(begun).toMatchObject({ code: 0, stderr: '' })
    const [worktree = ''] = begun.stdout.match(/\/\S+\/\.worktrees\/loop\/[\w-]+/) ?? []
    write(worktree, 'b.txt', 'x\n')
    git(worktree, 'add', '.')
    git(worktree, 'commit', '-qm', 'Add b')
    expect(answered(stop('<loop-done>done</loop-done>')).warning).toContain('is landed on main')
    expect([landedIds(root), show(root, id).status]).toEqual([[id], 'closed'])

    const next = ok(run('tissue', ['new', 'Another', '--quiet'], { cwd: root })).stdout.trim()
    expect(bash(startIssues)).toMatchObject({ code: 0, stdout: expect.stringContaining('Another') })
    expect(cancels()).toMatchObject({ code: 0, stderr: '' })
    expect(answered(stop('I stop.')).block).toBeUndefined()
    expect(show(root, next)).toMatchObject({ status: 'paused', claim: null })
  })

  it('end a run that works elsewhere', async () => {
    const { root, cancels } = session()
    const log = tempFolder('log')
    const runs = start('loop', ['run', 'x', '--with', `touch ${log}/begun; exec sleep 900`], { cwd: root })
    while (!existsSync(join(log, 'begun'))) await sleep(20)
    expect(cancels()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\w{26} {2}cancel {2}/), stderr: '' })
    expect((await runs.done).code).toBe(5)
  })
})
