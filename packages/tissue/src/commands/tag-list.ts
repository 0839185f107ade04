import { defineVerb } from '@switchyard/cli-kit'
import { inRow } from '@switchyard/cli-kit/in-row'
import { inColumns } from '@switchyard/cli-kit/table'
import { type Views, viewsOf } from '../issue/issue.ts'
import type { TagCount } from '../schema/schemas.ts'
import { look, storeFlag } from '../session/session.ts'

/** `tissue tag list`: every tag, with how many open issues have it and how many there are in all. */
export const tagList = defineVerb({
  summary: 'List all tags with the number of issues that have them',
  flags: storeFlag,
  examples: ['tissue tag list', "tissue tag list --json | jq '.[] | select(.open > 0).tag'"],
  run(call) {
    const { ledger } = look(call)
    const tags = countTags(viewsOf(ledger))
    const columns = [
      { text: ({ tag }: TagCount) => inRow(tag) },
      { text: ({ open, all }: TagCount) => `${open} open, ${all} in all` },
    ]
    call.output.list(tags, {
      text: inColumns(tags, columns),
      id: ({ tag }) => tag,
      empty: 'no tags yet',
    })
    return undefined
  },
})

/** Every tag that an issue has, with how many issues have it, in the order of the alphabet. */
function countTags({ ids, view, isOver }: Views): TagCount[] {
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
