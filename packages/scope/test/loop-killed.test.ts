import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv, scaled } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { kill, type Sessions, sessions, until } from './sessions.ts'

/** The process that keeps a loop going, as its log names it. */
const keeperOf = (at: Sessions, id: string) =>
  at
    .events(id)
    .flatMap((event) => (event.event === 'started' || event.event === 'launched' ? [event.process?.pid ?? 0] : []))
    .at(-1) ?? 0

/** Each worker waits while it is held, and notes that it ran; the second one makes what the gate looks for, and the judge accepts it then. */
const act =
  'while [ -e hold ]; do sleep 0.05; done; echo $SCOPE_SESSION_ID >>ran; case $SCOPE_SESSION_ID in *-1-do) touch made-$(echo $SCOPE_SESSION_ID | cut -d- -f1) ;; esac'

function looping() {
  const at = sessions()
  at.agent(act, { '*-check': 'CRITERION 1: PASS\nVERDICT: ACCEPT' })
  writeFileSync(join(at.root, 'good.md'), '## Gates\n- `test -e made-$SCOPE_SESSION_ID`\n## Criteria\n- Good\n')
  return at
}

/** A loop whose process was killed at its first worker, however late that is. */
async function begin(at: Sessions): Promise<string> {
  writeFileSync(join(at.root, 'hold'), '')
  const id = at.spawn('Try', '--checker', 'good.md')
  await kill(keeperOf(at, id))
  rmSync(join(at.root, 'hold'))
  return id
}

/** Whatever was killed: the loop is taken up where that is needed, and comes to its end. */
function finish(at: Sessions, id: string) {
  const { status } = at.poll(id)
  if (status === 'failed') expect(at.scope(['resume', id]).code).toBe(0)
  return at.wait(id, '--timeout', '5m')
}

const runsOf = (at: Sessions, id: string) =>
  readFileSync(join(at.root, 'ran'), 'utf8')
    .trim()
    .split('\n')
    .filter((line) => line.startsWith(`${id}-`))
    .sort()

describe('the process of a loop, killed', () => {
  it('at any step, is seen, and the next one goes on at the same iteration; no worker or judge runs twice', async () => {
    const at = looping()
    const trace = join(at.root, 'trace')
    const supervised = (id: string, nth: number, more = {}) =>
      at.scope(['supervise', id], {}, faultEnv({ call: '*', nth, action: 'kill', match: `sessions/${id}/`, ...more }))
    const whole = await begin(at)
    supervised(whole, 100_000, { trace })
    expect(finish(at, whole).code).toBe(0)
    const steps = readFileSync(trace, 'utf8').trim().split('\n').length
    expect(steps).toBeGreaterThan(100)
    const points = scaled(40)
    for (let point = 1; point <= points; point++) {
      const id = await begin(at)
      supervised(id, Math.ceil((steps * point) / (points + 1)))
      const { code, waited } = finish(at, id)
      expect([id, code, waited.results[0]?.loop]).toEqual([
        id,
        0,
        { iteration: 1, max: 3, verdict: 'accept', gates: { passed: 1, total: 1 }, criteria: { passed: 1, total: 1 } },
      ])
      expect(runsOf(at, id)).toEqual([`${id}-0-check`, `${id}-0-do`, `${id}-1-check`, `${id}-1-do`])
    }
  })

  it('while it begins a worker, loses no worker', async () => {
    const at = looping()
    for (const nth of [1, 4, 12, 25]) {
      const id = await begin(at)
      at.scope(['supervise', id], {}, faultEnv({ call: '*', nth, action: 'kill', match: `sessions/${id}-1-do/` }))
      // The fault reaches the worker's own supervisor, too: it may have to be taken up more than once.
      for (let turn = 0; turn < 5 && finish(at, id).code !== 0; turn++);
      expect([id, at.poll(id).status]).toEqual([id, 'done'])
    }
  })

  it('while a worker goes on, finds it again: it is neither ended nor asked twice', async () => {
    const at = looping()
    at.agent(`${act}; while [ ! -e go ]; do sleep 0.05; done; touch made-0`, { '*-check': 'VERDICT: ACCEPT' })
    const id = at.spawn('Try', '--checker', 'good.md')
    await until(() => at.hasHeard('0-0-do'), 'the worker to run')
    await kill(keeperOf(at, id))
    expect(at.wait(id, '--timeout', '5m')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/which kept it going, is gone/),
    })
    expect(at.poll('0-0-do')).toMatchObject({ status: 'running', alive: true })
    expect(at.scope(['resume', id]).code).toBe(0)
    const begins = () => at.events(id).filter(({ event }) => event === 'iteration')
    await until(() => begins().length === 2, 'the loop to take the iteration up')
    writeFileSync(join(at.root, 'go'), '')
    expect([at.wait(id).code, runsOf(at, id)]).toEqual([0, ['0-0-check', '0-0-do']])
  })

  it('finds what a worker came to meanwhile', async () => {
    const at = looping()
    at.agent(`${act}; while [ ! -e go ]; do sleep 0.05; done; touch made-0`, { '*-check': 'VERDICT: ACCEPT' })
    const id = at.spawn('Try', '--checker', 'good.md')
    await until(() => at.hasHeard('0-0-do'), 'the worker to run')
    await kill(keeperOf(at, id))
    writeFileSync(join(at.root, 'go'), '')
    expect(at.wait('0-0-do').code).toBe(0)
    expect(at.poll(id).status).toBe('failed')
    at.scope(['resume', id])
    expect([at.wait(id).code, runsOf(at, id)]).toEqual([0, ['0-0-check', '0-0-do']])
  })
})

describe('a loop that somebody else wrote', () => {
  it('is shown, and neither its gates nor its agents are run', () => {
    const own = sessions()
    own.scope(['spawn', 'Mine', '--checker', 'touch ran', '--wait'])
    const at = sessions({ act: 'touch ran' })
    for (const id of ['0', '0-0-do']) {
      mkdirSync(at.folder(id), { recursive: true })
      for (const name of own.files(id)) {
        if (!['published', 'gates', 'feedback'].includes(name))
          writeFileSync(join(at.folder(id), name), own.file(id, name))
      }
    }
    expect(at.poll('0')).toMatchObject({ status: 'done', role: 'loop' })
    const calls = [
      ['supervise', '0'],
      ['resume', '0'],
      ['check', '0'],
      ['rubric', '0', '--show'],
      ['rubric', '0', '--set', join(at.folder('0'), 'rubric.md')],
    ]
    for (const args of calls) expect([args, at.scope(args).code]).toEqual([args, 5])
    expect(at.has('ran')).toBe(false)
    expect(at.git('status', '--porcelain', '--', 'ran')).toBe('')
  })
})
