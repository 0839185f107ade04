import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isGone, kill, type Sessions, sessions, until } from './sessions.ts'

const forEver = 'while :; do sleep 1; done'

/** Ends all processes of these sessions at once, and has their logs be of another boot, where others have the numbers. */
async function reboot(at: Sessions, ids: readonly string[]): Promise<void> {
  const pids = ids.flatMap((id) => [at.supervisor(id), ...(at.hasHeard(id) ? [Number(at.heard(id, 'pid'))] : [])])
  for (const pid of pids) if (pid > 0) process.kill(pid, 'SIGSTOP')
  for (const pid of pids) if (pid > 0) await kill(pid)
  for (const id of ids) {
    const path = join(at.folder(id), 'events.jsonl')
    const text = readFileSync(path, 'utf8')
    const elsewhere = text
      .replaceAll(/"pid":\d+/g, `"pid":${process.pid}`)
      .replaceAll(/"boot":"[^"]*"/g, '"boot":"before"')
    writeFileSync(path, elsewhere)
  }
}

it('after a reboot nothing is thought to be at work, no wait hangs, and everything can be taken up again', async () => {
  const at = sessions({ keepsStdin: true })
  const acts = 'case $SCOPE_SESSION_ID in 0) scope spawn Child ;; 3) scope exit "No way" ;; esac'
  at.agent(`${acts}; [ -e calm ] || ${forEver}`)
  at.spawn('Parent')
  const terminal = at.scope(['spawn', 'Seen'], {}, { SCOPE_BACKEND: 'tmux' }).stdout.trim()
  const loop = at.spawn('Loop', '--checker', 'true')
  const ids = ['0', '0.0', terminal, loop, `${loop}-0-do`]
  await until(() => ids.every((id) => id === loop || at.hasHeard(id)), 'all to run')
  const exited = at.spawn('Give up')
  await until(() => at.poll(exited).status === 'exited', 'one to have said that it ends')
  expect(at.poll(exited)).toMatchObject({ turn: 'busy', alive: true })
  await reboot(at, [...ids, exited])
  expect(at.poll(exited)).toMatchObject({ status: 'exited', exit_reason: 'No way', turn: null, alive: false })
  expect([at.file(exited, 'turn'), at.events(exited).at(-1)]).toMatchObject(['', { event: 'ended', by: 'a reader' }])
  const { code, waited } = at.wait(...ids, '--timeout', '5m')
  expect([code, waited.timed_out, waited.results.map(({ status }) => status)]).toEqual([
    1,
    false,
    ids.map(() => 'failed'),
  ])
  for (const { exit_reason, alive } of waited.results) {
    expect([exit_reason, alive]).toEqual([expect.stringMatching(/which kept it going, is gone|has failed/), false])
  }
  expect(isGone(process.pid)).toBe(false)
  at.write('calm', '')
  expect(at.scope(['resume', loop]).code).toBe(0)
  expect(at.wait(loop).code).toBe(0)
})
