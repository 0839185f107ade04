// Everything at once: writers with all verbs, some of them killed, while the log is compacted and issues are deleted,
// the cache comes and goes, and the lock does not hold.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Finished, removeBusy, run, scaled, start, tempFolder } from '@switchyard/testkit'
import { expect, it } from 'vitest'

/** What the agent's contract has for verbs that only read and write issues. */
const documented = [0, 2, 3, 4, 5, 6]
const writers = 4
/** What is overwritten has to be worth a compaction. */
const long = 'long '.repeat(1000)

type Call = { args: string[]; input?: string; texts?: string[] }
type Store = { readonly cwd: string; readonly ids: string[] }

/** Numbers below `limit` that a seed repeats, as far as the order of processes does. */
function dice(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

function lines(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}

/** One act, with the texts that it leaves in the log if it succeeds. */
function callOf({ ids }: Store, roll: (limit: number) => number, word: string): Call {
  const pick = () => ids[roll(ids.length)] ?? ''
  const id = pick()
  const finding = { v: 1, type: 'finding', id: word, rule: 'r', title: word, severity: 'low', path: 'p', line: 1 }
  const plan = {
    issues: [
      { name: 'x', title: word },
      { name: 'y', title: `${word}y`, blocked_by: ['x'] },
    ],
  }
  const acts = [
    { verb: 'new', name: 'a', title: word },
    { verb: 'comment', id: 'a', message: `${word}c` },
    { verb: 'edit', id, title: `${word}e` },
  ]
  const calls: (() => Call)[] = [
    () => ({ args: ['new', word], texts: [word] }),
    () => ({ args: ['new', word, '--key', `key${roll(4)}`] }),
    () => ({ args: ['new', '--plan', '-'], input: JSON.stringify(plan), texts: [word, `${word}y`] }),
    () => ({ args: ['batch'], input: lines(acts), texts: [word, `${word}c`, `${word}e`] }),
    () => ({ args: ['edit', id, '--title', word], texts: [word] }),
    () => ({ args: ['edit', id, '--body', long] }),
    () => ({ args: ['edit', id, '--body', `${long}more`, '--meta', `k=${word}`], texts: [word] }),
    () => ({ args: ['tag', 'add', id, word], texts: [word] }),
    () => ({ args: ['comment', id, '--message', word], texts: [word] }),
    () => ({ args: ['claim', id, '--ttl', roll(2) === 0 ? '1s' : '1h'] }),
    () => ({ args: ['claim', '--next'] }),
    () => ({ args: ['claim', '--renew'] }),
    () => ({ args: ['release', id] }),
    () => ({ args: ['close', id, '--force'] }),
    () => ({ args: ['reopen', id] }),
    () => ({ args: ['dep', 'add', id, ['blocks', 'relates', 'parent'][roll(3)] ?? '', pick()] }),
    () => ({ args: ['import', '-'], input: lines([finding]), texts: [word] }),
    () => ({ args: ['ready'] }),
  ]
  return (calls[roll(calls.length)] ?? (() => ({ args: ['list'] })))()
}

/** Runs a verb to its end, or kills it after so long. */
async function perform(
  { cwd }: Store,
  args: readonly string[],
  input: string,
  killAfterMs?: number,
): Promise<Finished> {
  const { child, done } = start('tissue', [...args, '--json'], { cwd, input })
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  const end = await done
  clearTimeout(timer)
  const allowed = end.signal === 'SIGKILL' ? [null] : documented
  expect(allowed, `${args.join(' ')}: ${end.stderr}`).toContain(end.code)
  return end
}

/** The events that an answer names: whoever was told of one has seen it in the log. */
function eventsNamed(stdout: string): string[] {
  return [...stdout.matchAll(/"(?:rev|comment)":"([0-9A-Z]{26})"/g)].map(([, id = '']) => id)
}

/** A writer's acts one after the other; returns what it was told is done. */
async function write(store: Store, name: string, seed: number): Promise<string[]> {
  const roll = dice(seed)
  const told: string[] = []
  for (let step = 0; step < scaled(100); step += 1) {
    const { args, input = '', texts = [] } = callOf(store, roll, `${name}s${step}`)
    const end = await perform(store, [...args, '--as', name], input, roll(5) === 0 ? 40 + roll(200) : undefined)
    told.push(...eventsNamed(end.stdout))
    if (end.code !== 0) continue
    told.push(...texts.map((text) => JSON.stringify(text)))
    store.ids.push(...[...end.stdout.matchAll(/"id":"([a-z0-9-]+-[0-9a-z]{12})"/g)].map(([, id = '']) => id))
  }
  return told
}

/** Does something again and again until the writers are done. */
async function disturb(isOver: () => boolean, act: (turn: number) => unknown): Promise<void> {
  for (let turn = 0; !isOver(); turn += 1) {
    await act(turn)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

async function storm({ breaksLock }: { breaksLock: boolean }) {
  const cwd = tempFolder('storm')
  const inStore = (name: string) => join(cwd, '.tissue', name)
  mkdirSync(inStore(''))
  const store: Store = { cwd, ids: [] }
  const first = run('tissue', ['new', 'First', '--body', long], { cwd }).stdout.trim()
  store.ids.push(first)
  for (const body of ['short', long]) expect(run('tissue', ['edit', first, '--body', body], { cwd }).code).toBe(0)
  let isOver = false
  const disturbances = [
    (turn: number) => perform(store, ['compact'], '', turn % 4 === 3 ? 60 + turn * 7 : undefined),
    () => perform(store, ['clean', '--force', '--older-than', '500ms'], ''),
    (turn: number) => {
      if (turn % 2 === 0) removeBusy(inStore('cache'))
      else if (existsSync(inStore('cache'))) writeFileSync(inStore('cache/open-issues'), 'rubbish')
    },
    () => {
      if (!breaksLock) return
      for (const name of ['issues.jsonl.lock', 'issues.jsonl.lock.owner']) removeBusy(inStore(name))
    },
  ].map((act) => disturb(() => isOver, act))
  const writing = Promise.all(Array.from({ length: writers }, (_, at) => write(store, `w${at}`, 7 * at + 1)))
  const done = writing.finally(() => {
    isOver = true
  })
  const [told] = await Promise.all([done, ...disturbances])
  // Takes over what a killed compaction has left to the next one.
  expect(run('tissue', ['compact'], { cwd })).toMatchObject({ code: 0, stderr: '' })
  expect(existsSync(inStore('archive'))).toBe(true)
  expect(run('tissue', ['doctor', '--log'], { cwd })).toMatchObject({ code: 0, stderr: '' })
  return { cwd, told: told.flat() }
}

function pastOf(cwd: string): { verdict: string; event: Record<string, unknown> }[] {
  return JSON.parse(run('tissue', ['history', '--limit', '1000000', '--json'], { cwd }).stdout)
}

function issuesOf(cwd: string): unknown[] {
  return JSON.parse(run('tissue', ['list', '--all', '--limit', '100000', '--json'], { cwd }).stdout)
}

/** A copy of a store in which the log is all that was ever in one. */
function uncompacted(cwd: string): string {
  const folder = join(cwd, '.tissue/archive')
  const archives = readdirSync(folder).sort()
  const logs = [...archives.map((name) => join(folder, name)), join(cwd, '.tissue/issues.jsonl')]
  const twin = tempFolder('storm')
  mkdirSync(join(twin, '.tissue'))
  writeFileSync(join(twin, '.tissue/issues.jsonl'), logs.map((path) => `${readFileSync(path, 'utf8')}\n`).join(''))
  return twin
}

it('nothing that was said to be done is lost, and the log means what it means together with its archives', async () => {
  const { cwd, told } = await storm({ breaksLock: false })
  const valid = pastOf(cwd).filter(({ verdict }) => verdict === 'applied')
  const text = JSON.stringify(valid.map(({ event }) => event))
  expect(told.filter((word) => !text.includes(word))).toEqual([])
  expect(issuesOf(cwd)).toEqual(issuesOf(uncompacted(cwd)))
})

it('nothing that was said to be done is lost when the lock does not lock', async () => {
  const { cwd, told } = await storm({ breaksLock: true })
  const text = JSON.stringify(pastOf(cwd).map(({ event }) => event))
  expect(told.filter((word) => !text.includes(word))).toEqual([])
})
