// Two clones of a repository whose issues both work on, each by a clock of its own, and real git between them.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, run, scaled, tempRepo } from '@switchyard/testkit'
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

/** One clone works: on the shared issues and on its own, of which it alone claims. */
function work(clone: Clone, shared: readonly string[], seed: number, steps: number): void {
  const roll = dice(seed)
  const own: string[] = []
  const all = () => [...shared, ...own]
  const any = () => all()[roll(all().length)] ?? ''
  const mine = () => own[roll(own.length)] ?? any()
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
    () => (own.length > 0 ? ['claim', mine()] : ['new', 'To claim']),
    () => (own.length > 0 ? ['release', mine()] : ['new', 'To release']),
  ]
  for (let step = 0; step < steps; step += 1) {
    const args = acts[roll(acts.length)]?.() ?? []
    const { code, stdout, stderr } = tissue(clone, args)
    // What is not possible, such as a second claim or a link to itself, is refused and writes nothing.
    expect([0, 2, 3, 5], `${args.join(' ')}: ${stderr}`).toContain(code)
    if (args[0] === 'new' && code === 0) own.push(stdout)
  }
}

/** Two clones that have each worked for so many steps, and committed it. */
function workedClones(seed: number, { union }: { union: boolean }) {
  const origin = tempRepo()
  const maker = { root: origin, name: 'origin', skewMs: 0 }
  const shared = ['One', 'Two', 'Three'].map((title) => tissue(maker, ['new', title]).stdout)
  if (!union) writeFileSync(join(origin, '.tissue/.gitattributes'), '# as git would have it\n')
  commitIssues(origin)
  const clones = ['ada', 'bob'].map((name, index): Clone => {
    const clone = cloneOf(origin, name, index === 0 ? hourMs : -hourMs)
    work(clone, shared, seed * 2 + index, scaled(50))
    commitIssues(clone.root)
    return clone
  })
  const [ada, bob] = clones
  if (!ada || !bob) throw new Error('bug: two clones')
  return { origin, ada, bob }
}

describe('two clones that worked on the same issues', () => {
  for (const seed of seeds) {
    it(`see the same after merge, rebase and cherry-pick in either order (seed ${seed})`, () => {
      const { origin, ada, bob } = workedClones(seed, { union: true })
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
      const check = run('tissue', ['check', '--json'], { cwd: root })
      expect([check.code, JSON.parse(check.stdout).corrupt.length]).toEqual([7, 3])
      const list = run('tissue', ['list', '--all'], { cwd: root })
      expect([list.code, list.stderr]).toEqual([0, '3 damaged lines skipped; tissue check says where\n'])
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

  it('see after a merge what they would have seen, when one has compacted its log and the other went on', () => {
    for (const seed of seeds.slice(0, 3)) {
      const { ada, bob } = workedClones(seed, { union: true })
      const plain = seen(integrated(ada, bob, 'merge'))
      expect(tissue(ada, ['compact']).code).toBe(0)
      commitIssues(ada.root)
      for (const root of [
        integrated(ada, bob, 'merge'),
        integrated(bob, ada, 'merge'),
        integrated(bob, ada, 'rebase'),
      ]) {
        expect(seen(root)).toEqual(plain)
        expect(run('tissue', ['check'], { cwd: root }).code).toBe(0)
      }
    }
  })
})
