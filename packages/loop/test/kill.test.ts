import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  cleanEnv,
  full,
  git,
  type Started,
  scaled,
  script,
  start,
  tempFolder,
  tempRepo,
  toolPath,
} from '@switchyard/testkit'
import { describe, expect, it, onTestFailed } from 'vitest'
import {
  events,
  isGone,
  killAt,
  landedIds,
  leftovers,
  ok,
  type Place,
  place,
  placeAt,
  read,
  show,
  write,
} from './place.ts'

const steps = ['claiming', 'claimed', 'iteration', 'ran', 'verified', 'landing', 'landed', 'done'] as const
const issuesPerRound = full ? 3 : 2

/** A repository with a main tree that is dirty: one change staged, another not, an untracked file. */
function dirtyPlace(): Place {
  const at = place({ 'mine.txt': 'committed\n', 'log.txt': 'start\n' })
  write(at.root, 'mine.txt', 'staged\n')
  git(at.root, 'add', 'mine.txt')
  write(at.root, 'mine.txt', 'staged, then changed\n')
  write(at.root, 'new.txt', 'untracked\n')
  return at
}

const dirt = (root: string) => [
  git(root, 'status', '--porcelain', '--', ':!.tissue'),
  git(root, 'ls-files', '--stage', 'mine.txt'),
  read(root, 'mine.txt'),
  read(root, 'new.txt'),
]

/**
 * Each issue appends to a file of its own, so that one which lands twice has two lines; where it goes on from what a
 * killed run left, the line is there.
 */
const append = `case $prompt in *'go on from it'*) ;; *) echo "$title" >> "$title.txt" ;; esac`
const runner = `sleep 0.05; ${append}; sleep 0.05\n`

/** How many events of this kind all runs have recorded. */
function countEvents(root: string, kind: string): number {
  const folder = join(root, '.jwz', 'topics', 'loop', 'run')
  if (!existsSync(folder)) return 0
  const text = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('')
  return text.split(`"event":"${kind}"`).length - 1
}

/** All that the runs have recorded and made, for whoever looks for the cause of a failure. */
function historyOf(root: string): string {
  const graph = git(root, 'log', '--all', '--graph', '--stat', '--format=%h %an %s%n%b')
  return [...events(root).map((event) => JSON.stringify(event).slice(0, 400)), graph].join('\n')
}

async function round(kill: (at: Place, started: Started) => Promise<void>, kills: number): Promise<void> {
  const at = dirtyPlace()
  onTestFailed(() => console.error(historyOf(at.root)))
  const before = dirt(at.root)
  const ids = Array.from({ length: issuesPerRound }, (_, index) => at.issue(`issue ${index}`))
  const args = [
    'run',
    '--issues',
    '-j',
    '2',
    '--with',
    at.agent('runner', runner),
    '--verify',
    'sleep 0.05; true',
  ] as const
  for (let count = 0; count < kills; count++) await kill(at, start('loop', args, { cwd: at.root }))

  const last = at.loop(...args)
  if (last.code !== 3) ok(last)
  expect(landedIds(at.root).sort()).toEqual([...ids].sort())
  for (const [index, id] of ids.entries()) {
    expect(show(at.root, id).status).toBe('closed')
    expect(read(at.root, `issue ${index}.txt`)).toBe(`issue ${index}\n`)
  }
  expect(leftovers(at.root)).toEqual([])
  expect(
    existsSync(join(at.root, '.worktrees', 'loop')) ? readdirSync(join(at.root, '.worktrees', 'loop')) : [],
  ).toEqual([])
  expect(dirt(at.root)).toEqual(before)
  git(at.root, 'fsck', '--strict', '--no-dangling')
}

describe('loop run killed with -9', () => {
  const seed = Number(process.env['SWITCHYARD_SEED'] ?? Date.now() % 1_000_000)
  const random = seededRandom(seed)

  it.each(
    Array.from({ length: scaled(30, 30) }, (_, index) => [index, steps[index % steps.length] ?? 'landing'] as const),
  )(
    `at a step leaves each issue landed exactly once after the next run (round %s, after %s, seed ${seed})`,
    async (_, step) => {
      const nth = 1 + Math.floor(random() * issuesPerRound)
      await round((at, started) => killAt(started, () => countEvents(at.root, step) >= nth), 1)
    },
  )

  it.each(Array.from({ length: scaled(30, 30) }, (_, index) => index))(
    `at any moment, twice in a row, leaves each issue landed exactly once (round %s, seed ${seed})`,
    async () => {
      await round(async (_, started) => {
        const end = Date.now() + 200 + random() * 2500
        await killAt(started, () => Date.now() >= end)
      }, 2)
    },
  )

  it.each(Array.from({ length: scaled(30, 30) }, (_, index) => index))(
    `while it lands leaves each issue landed exactly once (round %s, seed ${seed})`,
    async () => {
      const nth = 1 + Math.floor(random() * issuesPerRound)
      const delayMs = random() * 60
      await round(async (at, started) => {
        let seenAt = 0
        await killAt(started, () => {
          if (seenAt === 0 && countEvents(at.root, 'landing') >= nth) seenAt = performance.now()
          return seenAt > 0 && performance.now() >= seenAt + delayMs
        })
      }, 1)
    },
  )
})

describe('a command that outlives the loop that was killed', () => {
  /**
   * A place whose `program` is slow for `words`, once, so that the kill falls into it: it goes on only a while after
   * the next loop has begun.
   */
  function placeWithSlow(program: 'git' | 'tissue', words: string): Place & { slept: string } {
    const folder = tempFolder('slow')
    const wait = `until [ -e ${folder}/next ]; do sleep 0.05; done; sleep 0.5`
    const slow = `case "$*" in *'${words}'*) [ -e ${folder}/slept ] || { touch ${folder}/slept; ${wait}; } ;; esac`
    const tell = `if [ -e ${folder}/killed ]; then touch ${folder}/next; fi`
    for (const name of ['git', 'tissue']) {
      const real = execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8', env: cleanEnv() }).trim()
      script(join(folder, name), `#!/bin/sh\n${tell}\n${name === program ? slow : ''}\nexec ${real} "$@"\n`)
    }
    const at = placeAt(tempRepo({ 'a.txt': 'a\n' }), { PATH: `${folder}:${toolPath()}` })
    return { ...at, slept: join(folder, 'slept') }
  }

  it.each([
    ['git', 'merge --ff-only', 'landed'],
    ['git', 'worktree add', 'unfinished'],
    ['git', 'update-ref --no-deref -d', 'landed'],
    ['tissue', 'claim --json', 'unfinished'],
    ['tissue', 'close --as', 'landed'],
  ] as const)('is waited for: %s %s', async (program, words, state) => {
    const at = placeWithSlow(program, words)
    const id = at.issue('x')
    const args = ['run', '--issues', '--with', at.agent('x', 'echo "$title" >> x.txt'), '--verify', 'true'] as const
    const started = at.start(...args)
    await killAt(started, () => existsSync(at.slept))
    writeFileSync(join(at.slept, '..', 'killed'), '')
    const next = at.loop(...args)
    expect(next.code).toBe(state === 'unfinished' ? 0 : 3)
    expect(landedIds(at.root)).toEqual([id])
    expect(read(at.root, 'x.txt')).toBe('x\n')
    expect(show(at.root, id).status).toBe('closed')
    expect(leftovers(at.root)).toEqual([])
    expect(git(at.root, 'status', '--porcelain')).toBe('?? .tissue/')
  })

  it('is ended by a run that was alive all along, which then works the issue', async () => {
    const at = place()
    const ids = [at.issue('first'), at.issue('second')]
    const busy = at.agent(
      'busy',
      `touch ${at.agents}/is-busy; while [ ! -e ${at.agents}/go ]; do sleep 0.05; done; echo x > "$title"`,
    )
    const alive = at.start('run', '--issues', '--with', busy, '--verify', 'true')
    while (!existsSync(join(at.agents, 'is-busy'))) await sleep(20)
    const doomed = at.start(
      'run',
      '--issues',
      '--with',
      at.agent('hang', `touch ${at.agents}/hangs; sleep 600`),
      '--verify',
      'true',
    )
    await killAt(doomed, () => existsSync(join(at.agents, 'hangs')))
    script(join(at.agents, 'go'), '')
    expect((await alive.done).code).toBe(0)
    expect(landedIds(at.root)).toEqual(ids)
    expect(leftovers(at.root)).toEqual([])
  })

  it('is ended when it is a runner, with all that it started', async () => {
    const at = place()
    const id = at.issue('x')
    const hang = at.agent(
      'hang',
      `echo work > w.txt; sh -c 'echo $$ > ${at.agents}/new; mv ${at.agents}/new ${at.agents}/pid; while :; do sleep 1; done'`,
    )
    const started = at.start('run', '--issues', '--with', hang, '--verify', 'true')
    await killAt(started, () => existsSync(join(at.agents, 'pid')))
    const orphan = Number(read(at.agents, 'pid'))
    expect(isGone(orphan)).toBe(false)
    ok(at.loop('run', '--issues', '--with', at.agent('x', 'echo x > x.txt'), '--verify', 'true'))
    expect(isGone(orphan)).toBe(true)
    expect(landedIds(at.root)).toEqual([id])
    expect(
      git(at.root, 'show', `${git(at.root, 'for-each-ref', '--format=%(refname)', 'refs/loop/salvage')}:w.txt`),
    ).toBe('work')
    expect(leftovers(at.root)).toEqual([])
  })
})

/** mulberry32. */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
