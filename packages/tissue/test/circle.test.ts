import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { circlesIn, findNewCircle, pathOf, renderCircle } from '../src/graph/circle.ts'
import { componentsOf, nextOf, wayBetween } from '../src/graph/digraph.ts'
import { waitsOf } from '../src/graph/waiting.ts'
import type { Dep, DepKind } from '../src/schema/event-schema.ts'
import { idOf, link } from './graph.ts'

const short = (id: string) => id.replace(/^app-|z+$/g, '')

function refusalOf(inForce: readonly Dep[], ...fresh: Dep[]): string | undefined {
  const circle = findNewCircle(inForce, fresh)
  return circle && renderCircle(circle, short)
}

describe('a circle of waiting', () => {
  it('is not made by an epic that waits for its own child', () => {
    expect(refusalOf([link('epic', 'parent', 'a')], link('a', 'blocks', 'epic'))).toBeUndefined()
    expect(refusalOf([link('a', 'blocks', 'epic')], link('epic', 'parent', 'a'))).toBeUndefined()
    const deep = [link('epic', 'parent', 'a'), link('a', 'parent', 'b')]
    expect(refusalOf(deep, link('b', 'blocks', 'epic'))).toBeUndefined()
  })

  it('is made by a child that waits for its own parent', () => {
    expect(refusalOf([link('epic', 'parent', 'a')], link('epic', 'blocks', 'a'))).toBe(
      'a waits for epic, which waits for its child a',
    )
  })

  it('is made by what holds back a parent and waits for its child', () => {
    expect(refusalOf([link('epic', 'parent', 'a'), link('a', 'blocks', 'b')], link('b', 'blocks', 'epic'))).toBe(
      'epic waits for b, which waits for a, which is held back with its parent epic'.replace(
        /^epic waits/,
        'epic waits',
      ),
    )
  })

  it('is made by two epics in order whose children are in the other order', () => {
    const deps = [link('one', 'parent', 'a'), link('two', 'parent', 'b'), link('one', 'blocks', 'two')]
    expect(refusalOf(deps, link('a', 'blocks', 'b'))).toBeUndefined()
    expect(refusalOf(deps, link('b', 'blocks', 'a'))).toBe(
      'a waits for b, which is held back with its parent two, which waits for one, which waits for its child a',
    )
  })

  it('is found among links that are new together, and old ones are not held against new ones', () => {
    expect(refusalOf([], link('a', 'blocks', 'b'), link('b', 'blocks', 'c'), link('c', 'blocks', 'a'))).toBe(
      'a blocks b blocks c blocks a',
    )
    const merged = [link('a', 'blocks', 'b'), link('b', 'blocks', 'a')]
    expect(refusalOf(merged, link('b', 'blocks', 'c'))).toBeUndefined()
    expect(refusalOf(merged, link('b', 'blocks', 'c'), link('c', 'blocks', 'a'))).toBe('b blocks c blocks a blocks b')
  })
})

describe('the circles of a log', () => {
  it('are named one for each knot, those of one kind before those of waiting', () => {
    const deps = [
      ...[link('a', 'blocks', 'b'), link('b', 'blocks', 'a')],
      ...[link('p', 'parent', 'q'), link('q', 'parent', 'p')],
      ...[link('x', 'supersedes', 'y'), link('y', 'supersedes', 'x')],
      ...[link('e', 'parent', 'f'), link('e', 'blocks', 'f')],
      ...[link('m', 'relates', 'n'), link('n', 'relates', 'm'), link('m', 'blocks', 'n')],
    ]
    const circles = circlesIn(deps)
    expect(circles.map(({ kind }) => kind)).toEqual(['blocks', 'parent', 'supersedes', 'waits'])
    expect(circles.map((circle) => pathOf(circle).map(short).join(' '))).toEqual(['a b a', 'p q p', 'x y x', 'e f e'])
  })

  it('are folded in the middle when they are long', () => {
    const deps = Array.from({ length: 40 }, (_, index) => link(index, 'blocks', (index + 1) % 40))
    const [circle] = circlesIn(deps)
    expect(circle && renderCircle(circle, short)).toBe(
      '0 blocks 1 blocks 2 blocks 3 blocks 4 blocks 5 blocks 6 … 28 more … blocks 35 blocks 36 blocks 37 blocks 38 blocks 39 blocks 0',
    )
  })

  it('are exactly what keeps issues from ever being ready, whatever the links', () => {
    const kinds: readonly DepKind[] = ['blocks', 'parent']
    const anyLink = fc.tuple(fc.nat(6), fc.constantFrom(...kinds), fc.nat(6))
    fc.assert(
      fc.property(fc.array(anyLink, { maxLength: 12 }), (drawn) => {
        const deps = drawn.filter(([from, , to]) => from !== to).map(([from, kind, to]) => link(from, kind, to))
        expect(circlesIn(deps).length === 0).toBe(canAllEnd(deps))
      }),
      { numRuns: 2000 },
    )
  })

  it('are refused, together or one link at a time, exactly when they would be there in the end', () => {
    const kinds: readonly DepKind[] = ['blocks', 'parent']
    const anyLink = fc.tuple(fc.nat(6), fc.constantFrom(...kinds), fc.nat(6))
    fc.assert(
      fc.property(fc.array(anyLink, { maxLength: 12 }), (drawn) => {
        const deps = drawn.filter(([from, , to]) => from !== to).map(([from, kind, to]) => link(from, kind, to))
        expect(findNewCircle([], deps) !== undefined).toBe(circlesIn(deps).length > 0)
        const kept: Dep[] = []
        for (const dep of deps) {
          const isRefused = findNewCircle(kept, [dep]) !== undefined
          expect(isRefused).toBe(circlesIn([...kept, dep]).length > 0)
          if (!isRefused) kept.push(dep)
        }
      }),
      { numRuns: 2000 },
    )
  })
})

/** Works every issue that waits for nothing and whose children are over, again and again; says whether that ends all. */
function canAllEnd(deps: readonly Dep[]): boolean {
  const left = new Set(deps.flatMap(({ from, to }) => [from, to]))
  for (let before = -1; before !== left.size; ) {
    before = left.size
    const waits = waitsOf(deps, (id) => !left.has(id))
    for (const id of left) {
      const hasOpenChild = deps.some(({ kind, from, to }) => kind === 'parent' && from === id && left.has(to))
      if (waits(id).length === 0 && !hasOpenChild) left.delete(id)
    }
  }
  return left.size === 0
}

describe('a walk', () => {
  it('enters none of 5,000 issues twice, in a chain, a ladder or a circle of them', () => {
    const size = 5_000
    const chain = Array.from({ length: size - 1 }, (_, index) => edge(index, index + 1))
    const ladder = chain.flatMap(({ from, to }, index) => [
      edge(index, index + 1),
      { from, to: `${to}b`, label: 0 },
      { from: `${to}b`, to, label: 0 },
    ])
    for (const edges of [chain, ladder, [...chain, edge(size - 1, 0)]]) {
      const next = nextOf(edges)
      for (const walk of [componentsOf.bind(undefined, ['0']), wayBetween.bind(undefined, '0', String(size - 1))]) {
        const entered: string[] = []
        walk((node) => {
          entered.push(node)
          return next.get(node) ?? []
        })
        expect(new Set(entered).size).toBe(entered.length)
        expect(entered.length).toBeGreaterThanOrEqual(size - 1)
      }
    }
  })

  it('finds the circle that closes 5,000 links which are all new, of each kind and of both', () => {
    const size = 5_000
    for (const kindAt of [() => 'blocks' as const, () => 'parent' as const, () => 'caused-by' as const]) {
      const chain = Array.from({ length: size - 1 }, (_, index) => link(index, kindAt(), index + 1))
      expect(findNewCircle([], chain)).toBeUndefined()
      expect(findNewCircle([], [...chain, link(size - 1, kindAt(), 0)])?.steps).toHaveLength(size)
      expect(pathOf(findNewCircle(chain, [link(size - 1, kindAt(), 0)]) ?? { kind: 'waits', steps: [] })[0]).toBe(
        idOf(size - 1),
      )
    }
    const mixed = Array.from({ length: size - 1 }, (_, index) =>
      index % 2 === 0 ? link(index, 'parent', index + 1) : link(index + 1, 'blocks', index),
    )
    expect(findNewCircle([], mixed)).toBeUndefined()
    expect(findNewCircle(mixed, [link(0, 'blocks', size - 1)])?.kind).toBe('waits')
  })
})

function edge(from: number, to: number) {
  return { from: String(from), to: String(to), label: 0 }
}
