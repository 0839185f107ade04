// Tags across a store.
import type { Views } from '../issue/issue.ts'
import type { TagCount } from '../schema/schemas.ts'

/** Every tag that an issue has, with how many issues have it, in the order of the alphabet. */
export function countTags({ ids, view, isOver }: Views): TagCount[] {
  const counts = new Map<string, { open: number; all: number }>()
  for (const id of ids) {
    for (const tag of view(id).tags) {
      const count = counts.get(tag) ?? { open: 0, all: 0 }
      counts.set(tag, { open: count.open + (isOver(id) ? 0 : 1), all: count.all + 1 })
    }
  }
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([tag, count]) => ({ v: 1, tag, ...count }))
}
