import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { faultEnv, tempFolder } from '@switchyard/testkit'
import { findingSchema } from '@switchyard/topic/examine/finding-schema'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { socketOf } from '../src/tmux/tmux.ts'
import { isGone, kill, type Sessions, sessions, until } from './sessions.ts'

/** What the doctor says: of each look that found more than that all is well, its state and detail. */
function examine(at: Sessions, ...flags: readonly string[]) {
  const { code, stdout } = at.scope(['doctor', '--json', ...flags])
  const findings = z.array(findingSchema).parse(JSON.parse(stdout))
  const about = (check: string) =>
    findings.filter((one) => one.check === check).map((one) => `${one.state} ${one.detail}`)
  return { code, about, checks: findings.map(({ check }) => check) }
}

const inHome = () => sessions({ env: { HOME: tempFolder('home'), GIT_CONFIG_GLOBAL: '/dev/null' } })

describe('scope doctor', () => {
  it('finds nothing wrong where nothing is, makes no store, and says what it looked at', () => {
    const at = inHome()
    const before = examine(at)
    expect([before.code, before.about('store')]).toEqual([0, [expect.stringMatching(/^ok .*\.scope is not made yet/)]])
    expect(existsSync(join(at.root, '.scope'))).toBe(false)
    at.wait(at.spawn('Whole', '--worktree'))
    const { code, about, checks } = examine(at)
    expect(code).toBe(0)
    expect([...new Set(checks)]).toEqual([
      ...['node', 'git', 'tmux', 'scope', 'store', 'disk', 'room', 'claude', 'codex', 'gemini', 'opencode'],
      ...['sessions', 'worktrees', 'logs', 'leftovers', 'name'],
    ])
    expect(about('node')).toEqual([`ok ${process.versions.node}`])
    expect(about('sessions')).toEqual(['ok 0 sessions at work'])
    expect(about('worktrees')).toEqual(['ok 1 worktree of sessions'])
    expect(about('logs')).toEqual(['ok 1 session, every line whole'])
    expect(at.scope(['doctor', '--fix', '--log'])).toMatchObject({ code: 2, stdout: '' })
  })

  it('names a damaged line of a log and touches none: exit 1, and 7 with --log; a cut off line is harmless', () => {
    const at = inHome()
    at.wait(at.spawn('One'), at.spawn('Two'))
    const log = (id: string) => join(at.folder(id), 'events.jsonl')
    appendFileSync(log('0'), '{"v":1,"event":"abor')
    expect(examine(at).about('logs')).toEqual([expect.stringMatching(/^ok .*1 cut off by a kill, which is harmless$/)])
    expect(at.scope(['doctor', '--log'])).toMatchObject({ code: 0, stdout: expect.stringContaining('0: ') })
    appendFileSync(log('1'), 'nonsense\n<<<<<<< HEAD\n')
    const before = readFileSync(log('1'))
    const { code, about } = examine(at, '--fix')
    expect(code).toBe(1)
    expect(about('logs').map((text) => text.replace(/ .*:(\d+): /, ' $1: '))).toEqual([
      expect.stringMatching(/^bad \d+: not JSON$/),
      expect.stringMatching(/^bad \d+: a conflict marker of version control$/),
    ])
    const counted = at.scope(['doctor', '--log', '--json'])
    expect(counted.code).toBe(7)
    expect(JSON.parse(counted.stdout)).toMatchObject([{ session: '0', torn: 1, corrupt: [] }, { corrupt: [{}, {}] }])
    expect(readFileSync(log('1')).equals(before)).toBe(true)
    expect(at.poll('1').status).toBe('done')
  })

  it('finds a session whose process died, and what agents left running; --fix ends what nobody wants', async () => {
    const at = sessions({
      act: 'case $SCOPE_SESSION_ID in 2) sleep 600;; *) setsid sleep 600 </dev/null >/dev/null 2>&1 & echo $! >left-$SCOPE_SESSION_ID; [ $SCOPE_SESSION_ID = 0 ] || sleep 600;; esac',
      env: { HOME: tempFolder('home'), GIT_CONFIG_GLOBAL: '/dev/null' },
    })
    at.wait(at.spawn('Leaves a server'))
    at.spawn('Is removed by hand')
    at.spawn('Dies')
    await until(() => at.has('left-1') && at.isAtWork('1') && at.isAtWork('2'), 'both to be at work')
    const left = (id: string) => Number(readFileSync(join(at.root, `left-${id}`), 'utf8'))
    const stray = left('1')
    await kill(at.supervisor('1'))
    rmSync(at.folder('1'), { recursive: true })
    await kill(at.supervisor('2'))
    const server = ['-L', socketOf({ path: join(realpathSync(at.root), '.scope') }), '-f', '/dev/null']
    execFileSync('tmux', [...server, 'new-session', '-d', '-s', 'scope-1_0', 'sleep 600'])
    execFileSync('tmux', [...server, 'new-session', '-d', '-s', 'mine', 'sleep 600'])
    onTestFinished(() => void execFileSync('tmux', [...server, 'kill-server']))
    const found = examine(at)
    expect([found.code, found.about('terminals')]).toEqual([0, ['warn no session works in scope-1_0']])
    expect(found.about('sessions')).toEqual(['ok 0 sessions at work', 'warn 2 is running, and its process is gone'])
    expect(found.about('processes')).toEqual([
      expect.stringMatching(new RegExp(`^warn left behind: .*\\b${stray}\\b.* of 1$`)),
      `warn still run after their sessions are done: ${left('0')} of 0`,
    ])
    expect(readFileSync(join(at.folder('2'), 'state'), 'utf8')).toBe('running\n')
    const mended = examine(at, '--fix')
    expect(mended.about('sessions')[1]).toBe('fixed 2 is running, and its process is gone')
    expect(mended.about('processes')[0]).toMatch(/^fixed left behind: /)
    expect(mended.about('terminals')).toEqual(['fixed no session works in scope-1_0'])
    expect(execFileSync('tmux', [...server, 'list-sessions', '-F', '#S']).toString()).toBe('mine\n')
    expect([isGone(stray), isGone(left('0'))]).toEqual([true, false])
    expect(readFileSync(join(at.folder('2'), 'state'), 'utf8')).toBe('failed\n')
    expect(examine(at).about('processes')).toEqual([expect.stringMatching(/^warn still run/)])
    at.scope(['abort', '0'])
    expect(examine(at).checks).not.toContain('processes')
  })

  it('finds worktrees that were half made or that nobody has, hooks of an earlier version, and others’ stores', () => {
    const home = tempFolder('home')
    const at = sessions({ env: { HOME: home, GIT_CONFIG_GLOBAL: '/dev/null' } })
    at.wait(at.spawn('Whole', '--worktree'))
    const fault = faultEnv({ call: 'renameSync', match: 'sessions/1/launch.json', nth: 1, action: 'kill' })
    expect(at.scope(['spawn', 'Half', '--worktree'], {}, fault).signal).toBe('SIGKILL')
    const folder = join(at.root, '.worktrees', 'scope')
    mkdirSync(join(folder, '7'))
    writeFileSync(join(folder, '7', 'work'), 'mine\n')
    rmSync(join(folder, '0'), { recursive: true })
    at.scope(['setup', '--agent', 'claude'])
    const settings = join(home, '.claude', 'settings.json')
    writeFileSync(settings, readFileSync(settings, 'utf8').replace(/"timeout": \d+/, '"timeout": 3'))
    mkdirSync(join(at.root, 'sub', '.scope', 'sessions'), { recursive: true })
    const { code, about } = examine(at)
    expect([code, about('claude')]).toEqual([
      0,
      [expect.stringMatching(/^warn the hooks in .* are not those of this version$/)],
    ])
    expect(about('worktrees').map((text) => text.replaceAll(`${folder}/`, ''))).toEqual([
      'ok 1 worktree of sessions',
      expect.stringMatching(/^warn .*1 was left half made or half removed$/),
      expect.stringMatching(/^warn .*0 is gone, its work is on scope\/0$/),
      expect.stringMatching(/^warn no session has .*7$/),
    ])
    const mended = examine(at, '--fix')
    expect([mended.about('claude')[0], mended.about('worktrees')[1]]).toEqual([
      expect.stringMatching(/^fixed /),
      expect.stringMatching(/^fixed .*1 was left half made/),
    ])
    expect(readdirSync(folder)).toEqual(['7'])
    expect(at.git('branch', '--list', 'scope/1')).toBe('')
    expect(examine(at).about('claude')).toEqual([expect.stringMatching(/^ok its hooks in .* are whole$/)])
    const sub = at.scope(['doctor', '--json'], { cwd: join(at.root, 'sub') })
    expect(sub.stdout).toContain('is not the one that is used here')
  })

  it('says which program is missing or too old', () => {
    const at = inHome()
    at.script('tmux', 'echo tmux 3.1c')
    const { code, about } = examine(at)
    expect([code, about('tmux')]).toEqual([1, [expect.stringMatching(/^bad tmux 3\.1c at .*tmux is too old$/)]])
  })
})
