import { faultEnv } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { isGone, kill, sessions, until } from './sessions.ts'

const forEver = 'while :; do sleep 1; done'

it.each(['ENOSPC', 'EACCES'] as const)('sessions are shown as they stand where the disk answers %s', async (action) => {
  const at = sessions()
  at.wait(at.spawn('Done'))
  at.agent(forEver)
  const id = at.spawn('Orphan')
  await until(() => at.isAtWork(id), 'the agent to run')
  await kill(at.supervisor(id))
  const before = at.file(id, 'events.jsonl')
  const refuses = faultEnv({ call: 'mkdirSync', nth: 1, action, match: 'events.jsonl.lock' })
  const list = at.scope(['list', '--all', '--json'], {}, refuses)
  expect([list.code, list.stderr]).toEqual([0, ''])
  expect(JSON.parse(list.stdout)).toMatchObject([{ status: 'done' }, { status: 'failed', alive: false }])
  const waited = at.scope(['wait', '0', id, '--timeout', '5m'], {}, refuses)
  expect([waited.code, JSON.parse(waited.stdout).results[1].exit_reason]).toEqual([
    1,
    expect.stringMatching(/which kept it going, is gone$/),
  ])
  expect(at.file(id, 'events.jsonl')).toBe(before)
  expect(isGone(Number(at.heard(id, 'pid')))).toBe(true)
  expect(at.poll(id).status).toBe('failed')
  expect(at.events(id).filter(({ event }) => event === 'failed')).toHaveLength(1)
})
