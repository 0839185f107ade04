import { appendFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { meter, scaled } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { sessions } from './sessions.ts'
import { event } from './store.ts'

const megabyte = 1024 * 1024

it('a log of any size is followed in little memory', async () => {
  const at = sessions()
  const id = at.spawn('Work')
  at.wait(id)
  const path = join(at.folder(id), 'events.jsonl')
  for (let piece = scaled(22, 3); piece > 0; piece--) {
    const lines = Array.from({ length: 5000 }, () => {
      const busy = event(id, { event: 'turn', by: 'hook', turn: 'needs_input', reason: 'why '.repeat(20) })
      return `${JSON.stringify(busy)}\n`
    })
    appendFileSync(path, lines.join(''))
  }
  const { env, taken } = meter('events.jsonl')
  const following = at.start(['logs', id, '--follow', '--event', 'aborted', '--event', 'created'], env)
  await following.waitFor(/claude is to implement/)
  appendFileSync(path, `${JSON.stringify(event(id, { event: 'aborted', by: 'abort', reason: 'the last one' }))}\n`)
  await following.waitFor(/the last one/)
  following.child.kill('SIGTERM')
  const { code } = await following.done
  expect([code, taken().peakBytes < 150 * megabyte]).toEqual([0, true])
})

it('a log that is too long for one is refused, and hides no other session', () => {
  const at = sessions()
  at.wait(at.spawn('First'))
  at.wait(at.spawn('Second'))
  truncateSync(join(at.folder('0'), 'events.jsonl'), 2_000_000_000)
  const { code, stderr } = at.scope(['poll', '0'])
  expect([code, stderr]).toEqual([7, expect.stringContaining('to have at most 32000000 bytes, it has 2000000000')])
  const { stdout, ...listed } = at.scope(['list', '--all', '--quiet'])
  expect([listed.code, stdout]).toEqual([0, '1\n'])
})
