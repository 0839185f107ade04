import type { Compacted } from '@switchyard/topic'

type Extent = NonNullable<Compacted['sealed']>

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function sized({ messages, bytes }: Extent): string {
  return `${counted(messages, 'message')} (${counted(bytes, 'byte')})`
}

/** What `compact` did to a topic, or would do, in one line. */
export function renderCompacted({ topic, sealed, dropped, unread_by }: Compacted, { dryRun }: { dryRun: boolean }) {
  const would = dryRun ? 'would have ' : ''
  const parts = [
    ...(sealed === null ? [] : [`${would}sealed ${sized(sealed)}`]),
    ...(dropped === null ? [] : [`${would}dropped ${counted(dropped.segments, 'segment')} of ${sized(dropped)}`]),
    ...(unread_by.length === 0 ? [] : [`kept what ${unread_by.join(', ')} did not read`]),
  ]
  return `${topic}: ${parts.join('; ')}`
}
