import { defineVerb } from '@switchyard/cli-kit'
import { readText } from '@switchyard/cli-kit/body'
import { decideBatch, parseBatch } from '../change/batch.ts'
import type { Acted } from '../schema/schemas.ts'
import { authorFlags, change, nameOf } from '../session/session.ts'

const bytesMax = 32 * 1024 * 1024

/**
 * `tissue batch`: does several acts in one write, all or none; a later one sees what an earlier one did. Exits as the
 * verb of the first one that cannot be done.
 */
export const batch = defineVerb({
  summary: 'Do several things in one write, all or none',
  args: [{ name: 'file', summary: 'Acts, one JSON object a line; stdin when it is - or not given', optional: true }],
  flags: {
    'dry-run': { type: 'boolean', summary: 'Check everything, write nothing' },
    ...authorFlags,
  },
  examples: [
    `echo '{"verb":"new","name":"a","title":"Fix login"}' | tissue batch`,
    'tissue batch acts.jsonl --dry-run',
  ],
  async run(call) {
    const { args, flags, output, now } = call
    const isDryRun = flags['dry-run']
    const lines = readText(args.file ?? '-', call, bytesMax).split('\n')
    const acts = parseBatch(lines, now(), () => nameOf(call))
    let rows: Acted[] = []
    await change(call, (before, actor, source) => {
      const decided = decideBatch(before, acts, actor, source)
      rows = decided.rows
      return isDryRun ? [] : decided.entries
    })
    const made = new Set<string>(
      rows.flatMap(({ verb, changed, id }) => (verb === 'new' && changed && id !== undefined ? [id] : [])),
    )
    if (isDryRun) output.note(`would change ${rows.filter(({ changed }) => changed).length} of ${rows.length}`)
    output.list(isDryRun ? rows.map((row) => asPlanned(row, made)) : rows, { text: renderRow, id: ({ id = '' }) => id })
    return undefined
  },
})

/** An id of what was not written would be taken for one of something that is there. */
function asPlanned({ id = '', comment, ...row }: Acted, made: ReadonlySet<string>): Acted {
  return made.has(id) ? row : { id, ...row }
}

function renderRow({ verb, id, name, changed }: Acted): string {
  const what = [verb, id ?? '(new)', name].filter((part) => part !== undefined).join('  ')
  return changed ? what : `${what}  (as it was)`
}
