import { defineVerb } from '@switchyard/cli-kit'
import { cleanableIds, decideClean } from '../clean.ts'
import { viewsOf } from '../issue.ts'
import { shownRow } from '../render.ts'
import type { Issue } from '../schemas.ts'
import { authorFlags, change, look } from '../session.ts'

/** `tissue clean`: lists the issues that have been over for long, and with `--force` deletes them. */
export const clean = defineVerb({
  summary: 'List issues that have been over for long, and delete them with --force',
  flags: {
    'older-than': { type: 'duration', default: '30d', summary: 'Only those that were closed this long ago' },
    force: { type: 'boolean', summary: 'Delete them' },
    ...authorFlags,
  },
  examples: ['tissue clean', 'tissue clean --older-than 90d --force'],
  async run(call) {
    const { flags, output } = call
    const now = call.now()
    const before = now - flags['older-than']
    const shown = { ...shownRow(now), empty: 'nothing to clean' }
    if (!flags.force) {
      const { ledger } = look(call)
      const found = cleanableIds(ledger, before).map(viewsOf(ledger).view)
      output.list(found, shown)
      if (found.length > 0) output.note('nothing was deleted; --force deletes these')
      return undefined
    }
    let deleted: Issue[] = []
    await change(call, (ledger) => {
      const ids = cleanableIds(ledger, before)
      // The ledger is the last that still has them.
      deleted = ids.map(viewsOf(ledger).view)
      return decideClean(ledger, ids)
    })
    output.list(deleted, shown)
    return undefined
  },
})
