import { defineVerb } from '@switchyard/cli-kit'
import { counted } from '@switchyard/cli-kit/counted'
import { Failure } from '@switchyard/ground/failure'
import { type Collected, collectBlobs } from '@switchyard/topic/blob-gc'
import { storeFlag } from '../store/flags.ts'
import { openStore } from '../store/store.ts'

/** A post lies between its file and its line for less than that. */
const graceMsMin = 3_600_000

/** `jwz blob gc`: removes files that no message names any more. */
export const blobGc = defineVerb({
  summary: 'Remove files that no message names any more',
  flags: {
    'dry-run': { type: 'boolean', summary: 'Only say what would go' },
    'older-than': { type: 'duration', default: '1d', summary: 'Leave what is younger; at least 1h' },
    ...storeFlag,
  },
  examples: ['jwz blob gc --dry-run', 'jwz blob gc --older-than 7d'],
  async run(call) {
    const olderThanMs = call.flags['older-than']
    const dryRun = call.flags['dry-run']
    if (olderThanMs < graceMsMin) {
      throw new Failure('usage', `--older-than takes at least 1h, got ${olderThanMs / 1000} s`, {
        hint: 'younger files may belong to messages that are just being posted',
      })
    }
    const collected = await collectBlobs(openStore(call), { olderThanMs, dryRun, now: call.now() })
    call.output.one(
      { dry_run: dryRun, ...collected },
      {
        text: () => renderCollected(collected, dryRun),
        id: ({ removed }) => removed.map(({ sha256 }) => sha256),
      },
    )
    return undefined
  },
})

function renderCollected({ removed, bytes, drafts, kept }: Collected, dryRun: boolean): string {
  const rest = drafts === 0 ? '' : `, ${counted(drafts, 'left-over draft')}`
  const extent = `${counted(removed.length, 'blob')} of ${counted(bytes, 'byte')}`
  return `${dryRun ? 'would remove' : 'removed'} ${extent}${rest}; ${kept} kept`
}
