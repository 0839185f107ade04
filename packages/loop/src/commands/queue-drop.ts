import { defineVerb } from '@switchyard/cli-kit'
import { openPlaces } from '../by-hand/open-by-hand.ts'
import { dropEntry } from '../land/drop-entry.ts'
import { pickEntries, readEntries } from '../land/queue.ts'
import { shownDropped } from '../render/shown.ts'

/** `loop queue drop`: the branch becomes a ref under refs/loop/salvage/; the issue stays as it is. */
export const queueDrop = defineVerb({
  summary: 'Forget what is queued or parked; its work is kept under a ref',
  args: [{ name: 'issue', summary: 'Which', rest: true }],
  examples: ['loop queue drop auth-123'],
  async run({ args, cwd, env, now, output }) {
    const { git, repository } = await openPlaces({ cwd, env })
    const entries = pickEntries(readEntries(repository.commonDir, env), args.issue)
    const dropped = []
    for (const entry of entries) dropped.push(await dropEntry(git, repository, entry, now()))
    output.list(dropped, shownDropped)
  },
})
