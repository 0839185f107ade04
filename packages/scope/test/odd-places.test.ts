import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnv, tempFolder } from '@switchyard/testkit'
import { describe, expect, it, onTestFinished } from 'vitest'
import { socketOf } from '../src/tmux/tmux.ts'
import { isGone, sessions, until } from './sessions.ts'

const talks = 'echo "I am $SCOPE_SESSION_ID"; while read -r line; do echo "$line" >>told; done'

/** Sessions in terminals, in a repository of that name. */
function terminals(name: string, env: Record<string, string> = {}) {
  const at = sessions({ act: talks, env: { SCOPE_BACKEND: 'tmux', ...env }, keepsStdin: true, name })
  const server = ['-L', socketOf({ path: join(at.root, '.scope') })]
  const tmux = (...words: readonly string[]) =>
    spawnSync('tmux', [...server, ...words], { encoding: 'utf8', env: cleanEnv(env) })
  onTestFinished(() => void tmux('kill-server'))
  return { ...at, tmux }
}

/** Begins a session, talks to it, looks at it, and ends it, with what it started. */
async function goThrough(at: ReturnType<typeof terminals>): Promise<void> {
  const id = at.spawn('Talk')
  const child = at.scope(['spawn', 'Below'], {}, { SCOPE_SESSION_ID: id }).stdout.trim()
  await until(() => at.isAtWork(id) && at.isAtWork(child), 'the agents to run')
  expect(at.scope(['send', child, '--', '-- $(now); `then`']).stderr).toBe('')
  await until(() => at.has('told'), 'the text to arrive')
  await until(() => at.scope(['logs', child, '--screen']).stdout.includes(`I am ${child}`), 'its words on the screen')
  expect(at.heard(child, 'argv')).toContain(at.file(child, 'contract.md'))
  const pids = [id, child].map((one) => Number(at.heard(one, 'pid')))
  expect(at.scope(['abort', id]).code).toBe(0)
  expect(pids.map(isGone)).toEqual([true, true])
  await until(() => at.tmux('list-sessions').status === 1, 'the terminals to be closed')
}

describe('sessions go their way', () => {
  it.each(['a.b: two words', "-it's; $HOME `ünï\u{1f600}` #{pid} %s"])(
    'in a repository that is called %s',
    async (name) => goThrough(terminals(name)),
  )

  it('beside a tmux that counts from 1, keeps what has ended, and has a session called 0', async () => {
    const home = tempFolder('home')
    const wishes = [
      'base-index 1',
      'pane-base-index 1',
      'remain-on-exit on',
      'destroy-unattached on',
      'default-shell /bin/false',
    ]
    writeFileSync(join(home, '.tmux.conf'), wishes.map((wish) => `set -g ${wish}\n`).join(''))
    const sockets = tempFolder('sockets')
    const env = { HOME: home, TMUX_TMPDIR: sockets }
    const person = (...words: readonly string[]) =>
      spawnSync('tmux', ['-L', 'mine', '-f', '/dev/null', ...words], { encoding: 'utf8', env: cleanEnv(env) })
    onTestFinished(() => void person('kill-server'))
    expect(person('new-session', '-d', '-s', '0', 'sleep 600').status).toBe(0)
    const socket = join(sockets, `tmux-${process.getuid?.()}`, 'mine')
    await goThrough(terminals('0', { ...env, TMUX: `${socket},1,0`, TMUX_PANE: '%0' }))
    expect(person('list-panes', '-a', '-F', '#{session_name} #{pane_dead}').stdout).toBe('0 0\n')
  })
})
