import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boxSize, draw } from '../src/graph/drawing.ts'
import type { Dep } from '../src/schema/event-schema.ts'
import { idOf, link } from './graph.ts'

const anyGraph = fc.array(fc.tuple(fc.nat(19), fc.nat(19)), { maxLength: 50 })
const ids = Array.from({ length: 20 }, (_, index) => idOf(index))

function overlaps({ boxes }: ReturnType<typeof draw>): string[] {
  return boxes.flatMap((a, index) =>
    boxes.slice(index + 1).flatMap((b) => {
      const isApart = Math.abs(a.x - b.x) >= boxSize.width || Math.abs(a.y - b.y) >= boxSize.height
      return isApart ? [] : [`${a.id} ${b.id}`]
    }),
  )
}

describe('a drawing', () => {
  it('has a box for each issue, apart from all others and within the picture, whatever the links', () => {
    fc.assert(
      fc.property(anyGraph, (pairs) => {
        const drawn = draw(
          ids,
          pairs.map(([from, to]) => link(from, 'blocks', to)),
        )
        expect(drawn.boxes.map(({ id }) => id).sort()).toEqual([...ids].sort())
        expect(overlaps(drawn)).toEqual([])
        for (const { x, y } of drawn.boxes) {
          expect(x >= 0 && x + boxSize.width <= drawn.width).toBe(true)
          expect(y >= 0 && y + boxSize.height <= drawn.height).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('has what comes first at the left where there is no circle', () => {
    fc.assert(
      fc.property(anyGraph, (pairs) => {
        const deps: Dep[] = pairs.filter(([a, b]) => a < b).map(([a, b]) => link(a, 'blocks', b))
        const { boxes, wires } = draw(ids, deps)
        const left = new Map(boxes.map(({ id, x }) => [id, x]))
        for (const { from, to } of deps) expect(left.get(from)).toBeLessThan(left.get(to) ?? 0)
        for (const { points } of wires) {
          expect(points.map(([x]) => x)).toEqual(points.map(([x]) => x).sort((a, b) => a - b))
        }
      }),
      { numRuns: 300 },
    )
  })

  it('is the same for the same graph, and of 1,000 issues in a chain or around one too', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => idOf(index))
    const chain = many.slice(1).map((_, index) => link(index, 'blocks', index + 1))
    const star = many.slice(1).map((_, index) => link(0, 'parent', index + 1))
    for (const deps of [chain, star, [...chain, ...star]]) {
      const drawn = draw(many, deps)
      expect(drawn).toEqual(draw(many, deps))
      expect(drawn.boxes).toHaveLength(1_000)
    }
    expect(draw([], [])).toMatchObject({ boxes: [], wires: [] })
  })
})
