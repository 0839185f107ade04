// Two clones of a repository whose issues both work on, each by a clock of its own, and real git between them.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, run, scaled, tempFolder, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import {
  type Clone,
  cloneOf,
  commitIssues,
  eventsIn,
  expectSound,
  integrated,
  logOf,
  seen,
  tissue,
} from './issue-clone.ts'

const hourMs = 3_600_000
const seedGiven = Number(process.env['SWITCHYARD_SEED'] ?? 0)
const seeds = seedGiven > 0 ? [seedGiven] : Array.from({ length: scaled(10) }, (_, index) => index + 1)

/** A generator of numbers below `below`, the same for the same seed. */
function dice(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return state % below
  }
}

const finding = { v: 1, type: 'finding', rule: 'no-eval', title: 'Call of eval', severity: 'low', path: 'a.ts' }

/** One clone works. What it claims is only its own, unless it `competes`: then it compacts its log, too. */
function work(clone: Clone, shared: readonly string[], seed: number, competes: boolean): void {
  const roll = dice(seed)
  const own: string[] = []
  const keyed: string[] = []
  const file = (name: string, text: string) => {
    writeFileSync(join(clone.root, name), text)
    return name
  }
  const all = () => [...shared, ...own, ...keyed]
  const any = () => all()[roll(all().length)] ?? ''
  const held = () => (competes ? any() : (own[roll(own.length)] ?? 'none'))
  const acts: (() => string[])[] = [
    () => ['new', `Of ${clone.name}`, '--tag', clone.name, '--blocked-by', any()],
    () => ['edit', any(), '--title', `Title ${roll(1000)} of ${clone.name}`],
    () => ['edit', any(), '--priority', String(1 + roll(5)), '--add-tag', `t${roll(5)}`],
    () => ['tag', 'add', any(), `t${roll(5)}`],
    () => ['tag', 'rm', any(), `t${roll(5)}`],
    () => ['dep', 'add', any(), 'relates', any()],
    () => ['comment', any(), '-m', `Comment ${roll(1000)}`],
    () => ['status', any(), ['open', 'paused', 'deferred'][roll(3)] ?? 'open'],
    () => ['close', any(), '--force', '--reason', clone.name],
    () => ['reopen', any()],
    () => ['claim', held(), '--ttl', roll(2) === 0 ? '1ms' : '8h'],
    () => (competes ? ['claim', '--next', '--query', 'tag:t1'] : ['claim', held()]),
    () => ['claim', '--renew', held(), '--ttl', '4h'],
    () => ['release', held(), '--to', ['ada', 'bob'][roll(2)] ?? 'ada', '--note', 'Handed on.'],
    () => ['new', '--plan', file('plan.json', planOf(roll(3))), '--key', `plan ${roll(3)}`, '--quiet'],
    () => ['new', 'The same everywhere', '--key', `key ${roll(3)}`, '--tag', clone.name],
    () => ['batch', file('acts.jsonl', actsOf(any(), roll(100)))],
    () => ['import', file('found.jsonl', `${JSON.stringify({ ...finding, id: `f${roll(4)}`, line: 1 })}\n`)],
    () => ['clean', '--older-than', '1ms', '--force'],
    () => (competes ? ['compact'] : ['dep', 'add', any(), 'parent', any()]),
  ]
  for (let step = 0; step < scaled(50); step += 1) {
    const args = acts[roll(acts.length)]?.() ?? []
    const { code, stdout, stderr } = tissue(clone, args)
    // What is not possible, such as a second claim or a link to itself, is refused and writes nothing.
    expect([0, 2, 3, 5], `${args.join(' ')}: ${stderr}`).toContain(code)
    if (args[0] === 'new' && code === 0) (args.includes('--key') ? keyed : own).push(...stdout.split('\n'))
  }
}

/** A plan of an epic with so many parts. */
function planOf(parts: number): string {
  const names = Array.from({ length: parts }, (_, index) => `part ${index}`)
  return JSON.stringify({ issues: ['epic', ...names].map((name) => ({ name, title: name, ...below(name) })) })
}

function below(name: string) {
  return name === 'epic' ? {} : { parent: 'epic' }
}

function actsOf(id: string, number: number): string {
  const acts = [
    { verb: 'new', name: 'a', title: `Of a batch ${number}` },
    { verb: 'dep add', from: 'a', kind: 'relates', to: id },
    { verb: 'comment', id, message: `Batch ${number}` },
  ]
  return acts.map((act) => `${JSON.stringify(act)}\n`).join('')
}

/** Two clones that have each worked for so many steps, and committed it. */
function workedClones(seed: number, { union = true, competes = false } = {}) {
  const origin = tempRepo()
  const maker = { root: origin, name: 'origin', skewMs: 0 }
  const shared = ['One', 'Two', 'Three'].map((title) => tissue(maker, ['new', title]).stdout)
  if (!union) writeFileSync(join(origin, '.tissue/.gitattributes'), '# as git would have it\n')
  commitIssues(origin)
  const clones = ['ada', 'bob'].map((name, index): Clone => {
    const clone = cloneOf(origin, name, index === 0 ? hourMs : -hourMs)
    work(clone, shared, seed * 2 + index, competes)
    commitIssues(clone.root)
    return clone
  })
  const [ada, bob] = clones
  if (!ada || !bob) throw new Error('bug: two clones')
  return { origin, ada, bob }
}

/** What no compaction takes away: issues that were made, and comments. */
function lastingIn(root: string): Set<string> {
  const records = readFileSync(logOf(root), 'utf8').trimEnd().split('\n')
  const events = records.flatMap((line) => {
    const record = JSON.parse(line)
    return record.type === 'batch' ? record.events : [record]
  })
  return new Set(events.filter(({ type }) => type === 'created' || type === 'commented').map(({ id }) => id))
}

type Held = { id: string; status: string; claim: unknown; contested?: unknown[] }

/** A copy of one clone that has imported all that the other has. */
function takenIn(mine: Clone, theirs: Clone): string {
  const root = join(tempFolder('copy'), 'clone')
  cpSync(mine.root, root, { recursive: true })
  const input = run('tissue', ['export', '--all'], { cwd: theirs.root }).stdout
  expect(run('tissue', ['import', '-', '--quiet'], { cwd: root, input }).code).toBe(0)
  return root
}

/** Whoever has to stop is named, and no issue is lost to all lists of work. */
function expectClaimsToBeClear(root: string): void {
  const { issues, conflicts } = seen(root)
  const all: Held[] = JSON.parse(issues)
  const contested = all.filter((issue) => issue.contested).map(({ id }) => id)
  const named: { issue: string; field: string }[] = conflicts
  expect(
    named
      .filter(({ field }) => field === 'claim')
      .map(({ issue }) => issue)
      .sort(),
  ).toEqual(contested.sort())
  const orphans = all.filter(({ status, claim }) => status === 'in_progress' && !claim).map(({ id }) => id)
  const explained: { ready: boolean; reasons: { kind: string }[] }[] = orphans.map((id) => {
    return JSON.parse(run('tissue', ['ready', '--explain', id, '--json'], { cwd: root }).stdout)
  })
  for (const { reasons } of explained) expect(reasons.map(({ kind }) => kind)).not.toContain('status')
}

describe('two clones that worked on the same issues', () => {
  for (const seed of seeds) {
    it(`see the same after merge, rebase and cherry-pick in either order (seed ${seed})`, () => {
      const { origin, ada, bob } = workedClones(seed)
      const events = new Set([...eventsIn(ada.root), ...eventsIn(bob.root)])
      const before = seen(ada.root)
      const roots = (['merge', 'rebase', 'cherry-pick'] as const).flatMap((how) => {
        return [integrated(ada, bob, how), integrated(bob, ada, how)]
      })
      const [first = '', ...others] = roots
      for (const root of roots) expectSound(root, events)
      for (const root of others) expect(seen(root)).toEqual(seen(first))
      // A branch that knows less shows less, and nothing of it sticks.
      git(ada.root, 'fetch', '--quiet', origin, 'HEAD')
      git(ada.root, 'checkout', '--quiet', 'FETCH_HEAD')
      expect(seen(ada.root)).toEqual(seen(origin))
      git(ada.root, 'checkout', '--quiet', '-')
      expect(seen(ada.root)).toEqual(before)
    })
  }

  for (const seed of seeds) {
    it(`see the same, and lose nothing, when they have claimed the same issues and compacted their logs (seed ${seed})`, () => {
      const { ada, bob } = workedClones(seed, { competes: true })
      const lasting = new Set([...lastingIn(ada.root), ...lastingIn(bob.root)])
      const roots = (['merge', 'rebase', 'cherry-pick'] as const).flatMap((how) => {
        return [integrated(ada, bob, how), integrated(bob, ada, how)]
      })
      const exchanged = [
        [ada, bob],
        [bob, ada],
      ].map(([mine = ada, theirs = bob]) => takenIn(mine, theirs))
      const [first = '', ...others] = [...roots, ...exchanged]
      for (const root of [first, ...others]) expect(lastingIn(root)).toEqual(lasting)
      for (const root of others) expect(seen(root)).toEqual(seen(first))
      expect(run('tissue', ['doctor', '--log'], { cwd: first }).code).toBe(0)
      expectClaimsToBeClear(first)
    })
  }

  it('lose nothing when each has made the store, and the first issue, by itself', () => {
    const origin = tempRepo()
    const clones = ['ada', 'bob'].map((name): Clone => {
      const clone = cloneOf(origin, name)
      expect(tissue(clone, ['new', `First of ${name}`]).code).toBe(0)
      commitIssues(clone.root)
      return clone
    })
    const [ada, bob] = clones
    if (!ada || !bob) throw new Error('bug: two clones')
    const events = new Set([...eventsIn(ada.root), ...eventsIn(bob.root)])
    const roots = [integrated(ada, bob, 'merge'), integrated(bob, ada, 'rebase')]
    for (const root of roots) expectSound(root, events)
    expect(seen(roots[0] ?? '')).toEqual(seen(roots[1] ?? ''))
    expect(JSON.parse(seen(roots[0] ?? '').issues)).toHaveLength(2)
  })

  it('are told of the markers that git leaves without the union attribute, and lose nothing by taking them out', () => {
    const { ada, bob } = workedClones(seeds[0] ?? 1, { union: false })
    const events = new Set([...eventsIn(ada.root), ...eventsIn(bob.root)])
    const mend = (root: string) => {
      const check = run('tissue', ['doctor', '--log', '--json'], { cwd: root })
      expect([check.code, JSON.parse(check.stdout).corrupt.length]).toEqual([7, 3])
      const list = run('tissue', ['list', '--all'], { cwd: root })
      expect([list.code, list.stderr]).toEqual([0, '3 damaged lines skipped; see tissue doctor\n'])
      expect(run('tissue', ['export', '--all'], { cwd: root }).stdout).not.toMatch(/^[<=>]{7}/m)
      const text = readFileSync(logOf(root), 'utf8')
      writeFileSync(logOf(root), text.replace(/^[<=>|]{7}.*\n/gm, ''))
    }
    const roots = (['merge', 'rebase'] as const).flatMap((how) => {
      return [integrated(ada, bob, how, mend), integrated(bob, ada, how, mend)]
    })
    for (const root of roots) expectSound(root, events)
    for (const root of roots) expect(seen(root)).toEqual(seen(roots[0] ?? ''))
  })

  it('lose nothing when one side of a conflict is taken whole and the other is imported', () => {
    const { ada, bob } = workedClones(seeds[0] ?? 1, { union: false })
    const events = new Set([...eventsIn(ada.root), ...eventsIn(bob.root)])
    const take = (side: '--ours' | '--theirs') => (root: string) => {
      git(root, 'checkout', side, '.tissue/issues.jsonl')
      const other = git(root, 'show', `${side === '--ours' ? ':3' : ':2'}:.tissue/issues.jsonl`)
      const { code, stderr } = run('tissue', ['import', '-', '--quiet'], { cwd: root, input: other })
      expect([code, stderr]).toEqual([0, ''])
    }
    const roots = [
      integrated(ada, bob, 'merge', take('--theirs')),
      integrated(bob, ada, 'rebase', take('--ours')),
      integrated(ada, bob, 'rebase', take('--theirs')),
    ]
    for (const root of roots) expectSound(root, events)
    for (const root of roots) expect(seen(root)).toEqual(seen(roots[0] ?? ''))
  })

  it('see after a merge what they would have seen, when one has compacted its log and the other went on', () => {
    for (const seed of seeds.slice(0, 3)) {
      const { ada, bob } = workedClones(seed)
      const plain = seen(integrated(ada, bob, 'merge'))
      expect(tissue(ada, ['compact']).code).toBe(0)
      commitIssues(ada.root)
      for (const root of [
        integrated(ada, bob, 'merge'),
        integrated(bob, ada, 'merge'),
        integrated(bob, ada, 'rebase'),
      ]) {
        expect(seen(root)).toEqual(plain)
        expect(run('tissue', ['doctor', '--log'], { cwd: root }).code).toBe(0)
      }
    }
  })
})
