import { tempFolder, tempRepo } from '@switchyard/testkit'
import { locateStore } from '@switchyard/topic'
import { expect, test } from 'vitest'
import { beginTask } from '../src/by-hook/begin-task.ts'
import { takeTurn } from '../src/by-hook/turn.ts'
import { findSessionRun } from '../src/record/binding.ts'
import type { Session } from '../src/state/event-schema.ts'

const session: Session = { host: 'claude', id: 'abc-123' }
const run = '01k5n7q8r9s0t1v2w3x4y5z6a7'

const stateHome = tempFolder('state')

function world(root: string) {
  const store = locateStore({ cwd: root, env: {}, name: '.jwz', variable: 'JWZ_STORE' })
  return {
    store,
    env: { PATH: process.env['PATH'], XDG_STATE_HOME: stateHome },
    now: Date.now,
    until: Date.now() + 60_000,
  }
}

const stop = (id: string, cwd: string, lastMessage: string, continued = false) =>
  ({
    event: 'stop',
    host: 'claude',
    session: id,
    cwd,
    agentId: undefined,
    agentType: undefined,
    transcript: undefined,
    lastMessage,
    continued,
    background: false,
  }) as const

test('a task is gone on with until its check passes', async () => {
  const root = tempRepo({ 'a.txt': 'one\n' })
  const here = world(root)
  const task = {
    run,
    goal: 'Make b.txt',
    verify: 'test -f b.txt',
    limits: { iterations: 5 },
    cwd: root,
    staleAfterMs: 7_200_000,
  }
  await beginTask(here.store, session, task, here)
  const first = await takeTurn(stop(session.id, root, 'still at it'), here)
  expect(first).toMatchObject({ do: 'block', reason: expect.stringContaining('Iteration 2 of 5') })
  const second = await takeTurn(stop(session.id, root, 'done\n<loop-done>done</loop-done>'), here)
  expect(second).toMatchObject({ do: 'block', reason: expect.stringContaining('the verify command failed') })
  expect(await takeTurn(stop('other', root, '<loop-done>done</loop-done>'), here)).toEqual({ do: 'allow' })
  const { writeFileSync } = await import('node:fs')
  writeFileSync(`${root}/b.txt`, '')
  const third = await takeTurn(stop(session.id, root, '<loop-done>done</loop-done>'), here)
  expect(third).toEqual({ do: 'allow', warning: 'loop: the task is complete after 3 iterations.' })
  expect(findSessionRun(here.store, session)).toBeUndefined()
  expect(await takeTurn(stop(session.id, root, 'more'), here)).toEqual({ do: 'allow' })
})
