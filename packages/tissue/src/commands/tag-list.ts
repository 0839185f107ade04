import { defineVerb } from '@switchyard/cli-kit'
import { inRow } from '@switchyard/cli-kit/in-row'
import { viewsOf } from '../issue/issue.ts'
import { look, storeFlag } from '../session/session.ts'
import { countTags } from '../view/tags.ts'

/** `tissue tag list`: every tag, with how many open issues have it and how many there are in all. */
export const tagList = defineVerb({
  summary: 'List all tags with the number of issues that have them',
  flags: storeFlag,
  examples: ['tissue tag list', "tissue tag list --json | jq '.[] | select(.open > 0).tag'"],
  run(call) {
    const { ledger } = look(call)
    const tags = countTags(viewsOf(ledger))
    const width = Math.max(0, ...tags.map(({ tag }) => tag.length))
    call.output.list(tags, {
      text: ({ tag, open, all }) => inRow(`${tag.padEnd(width)}  ${open} open, ${all} in all`),
      id: ({ tag }) => tag,
      empty: 'no tags yet',
    })
    return undefined
  },
})
