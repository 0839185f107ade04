import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { script, tempFolder } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { sessions, until } from './sessions.ts'
import { event } from './store.ts'

const hourMs = 3_600_000

/** The environment of a process whose clock is set an hour ahead as soon as the file `shifted` is there. */
function shifting(root: string) {
  const shim = join(tempFolder('shim'), 'clock.cjs')
  const ahead = `(require('node:fs').existsSync(${JSON.stringify(join(root, 'shifted'))}) ? ${hourMs} : 0)`
  script(shim, `const now = Date.now; Date.now = () => now() + ${ahead}\n`)
  return { NODE_OPTIONS: `--require=${shim}` }
}

it.each(['headless', 'tmux'])(
  'a clock that is set while a session works ends neither it nor a wait (%s)',
  async (backend) => {
    const act = 'touch begun; while [ ! -e shifted ]; do sleep 0.05; done; sleep 1.5'
    const at = sessions({ act, env: { SCOPE_BACKEND: backend }, keepsStdin: true })
    const env = shifting(at.root)
    const id = at.scope(['spawn', 'Work', '--timeout', '10m', '--idle-timeout', '10m'], {}, env).stdout.trim()
    await until(() => at.isAtWork(id), 'the agent to run')
    const waiting = at.start(['wait', id, '--timeout', '10m'], env)
    at.write('shifted', 'yes')
    const { code, stdout } = await waiting.done
    expect([code, JSON.parse(stdout).results[0]]).toEqual([0, expect.objectContaining({ status: 'done' })])
  },
)

it('a session that another clock has begun in an hour, and nobody keeps going, is seen to have failed', () => {
  const at = sessions()
  at.wait(at.spawn('First'))
  const [created] = at.events('0')
  if (created?.event !== 'created') throw new Error('expected the session to be created')
  const { pid } = spawnSync('true')
  const { v: _, id: __, at: ___, session: ____, ...draft } = { ...created, spawner: { ...created.spawner, pid } }
  mkdirSync(at.folder('1'))
  writeFileSync(join(at.folder('1'), 'events.jsonl'), `${JSON.stringify(event('1', draft, Date.now() + hourMs))}\n`)
  expect(at.wait('1', '--timeout', '1m')).toMatchObject({ code: 1, stderr: expect.stringContaining('never started') })
})
