import { counted } from '@switchyard/cli-kit/counted'
import type { Compacted } from '@switchyard/topic'

type Extent = NonNullable<Compacted['sealed']>

function sized({ messages, bytes }: Extent): string {
  return `${counted(messages, 'message')} (${counted(bytes, 'byte')})`
}

type Manner = { dryRun: boolean; force: boolean }

/** What `compact` did to a topic, or would do, in one line. */
export function renderCompacted({ topic, sealed, dropped, unread_by }: Compacted, { dryRun, force }: Manner) {
  const would = dryRun ? 'would have ' : ''
  const parts = [
    ...(sealed === null ? [] : [`${would}sealed ${sized(sealed)}`]),
    ...(dropped === null ? [] : [`${would}dropped ${counted(dropped.segments, 'segment')} of ${sized(dropped)}`]),
    ...(unread_by.length === 0 ? [] : [`${force ? 'not read' : 'kept, because not read'} by ${unread_by.join(', ')}`]),
  ]
  return `${topic}: ${parts.join('; ')}`
}
