import { describe, expect, it } from 'vitest'
import { linksOf, waitsAlong, waitsOf } from '../src/graph/waiting.ts'
import type { Dep } from '../src/schema/event-schema.ts'

const [epic, child, grandchild, other, late] = ['app-epic', 'app-child', 'app-grandchild', 'app-other', 'app-late']

function blocks(from: string, to: string): Dep {
  return { kind: 'blocks', from, to }
}

function parent(from: string, to: string): Dep {
  return { kind: 'parent', from, to }
}

function waitsIn(deps: readonly Dep[], over: readonly string[] = []) {
  return waitsOf(deps, (id) => over.includes(id))
}

describe('what an issue waits for', () => {
  it('is what blocks it, until that is over', () => {
    const deps = [blocks(other, child), blocks(late, child)]
    expect(waitsIn(deps)(child)).toEqual([{ on: other }, { on: late }])
    expect(waitsIn(deps, [other])(child)).toEqual([{ on: late }])
    expect(waitsIn(deps)(other)).toEqual([])
  })

  it('is also what blocks its parent, and the parent of that', () => {
    const deps = [parent(epic, child), parent(child, grandchild), blocks(other, epic)]
    expect(waitsIn(deps)(grandchild)).toEqual([{ on: other, through: epic }])
    expect(waitsIn(deps, [other])(grandchild)).toEqual([])
    expect(waitsIn(deps, [epic])(grandchild)).toEqual([])
  })

  it('is not itself, nor a sibling, where an epic waits for its own children', () => {
    const deps = [
      parent(epic, child),
      parent(child, grandchild),
      parent(epic, other),
      blocks(child, epic),
      blocks(grandchild, epic),
    ]
    const waits = waitsIn(deps)
    expect(waits(epic)).toEqual([{ on: child }, { on: grandchild }])
    for (const id of [child, grandchild, other]) expect(waits(id)).toEqual([])
  })

  it('is named once, however many ways lead to it', () => {
    const deps = [parent(epic, child), parent(child, grandchild), blocks(other, epic), blocks(other, child)]
    expect(waitsIn([...deps, blocks(other, grandchild)])(grandchild)).toEqual([{ on: other }])
    expect(waitsIn(deps)(grandchild)).toEqual([{ on: other, through: child }])
  })

  it('costs one walk up a long chain of parents, however many are asked for', () => {
    const links = 2000
    const ids = Array.from({ length: links }, (_, place) => `app-${place}`)
    const chain = ids.slice(1).map((id, place) => parent(ids[place] ?? '', id))
    // Each waits for its child as well, as an epic does.
    const own = ids.slice(1).map((id, place) => blocks(id, ids[place] ?? ''))
    let looks = 0
    const { blockers, parents } = linksOf([...chain, ...own, blocks(other, ids[0] ?? '')])
    class Counted extends Map<string, readonly string[]> {
      override get(id: string) {
        looks += 1
        return super.get(id)
      }
    }
    const waits = waitsAlong({ blockers: new Counted(blockers), parents: new Counted(parents) })
    for (const [place, id] of [...ids.entries()].reverse()) {
      const child = place < links - 1 ? [{ on: ids[place + 1] }] : []
      expect(waits(id)).toEqual([...child, place === 0 ? { on: other } : { on: other, through: ids[0] }])
    }
    expect(looks).toBeLessThan(20 * links)
  })

  it('ends where merged clones made a circle of parents, or gave an issue two', () => {
    const circle = [parent(epic, child), parent(child, epic), blocks(other, epic)]
    expect(waitsIn(circle)(child)).toEqual([{ on: other, through: epic }])
    const two = [parent(epic, child), parent(late, child), blocks(other, late)]
    expect(waitsIn(two)(child)).toEqual([{ on: other, through: late }])
  })
})
