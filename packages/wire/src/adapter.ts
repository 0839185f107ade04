import type { ToolUse } from '@switchyard/guard/tool-use'
import type { Answer, HostEvent } from './host-event.ts'
import type { Fields } from './host-fields.ts'

export type EventName = HostEvent['event']

/**
 * What an entry of a transcript is: words of the agent (`message` tells the messages apart), or anything else of the
 * main thread that stands between two of them.
 */
export type TranscriptEntry =
  | { readonly of: 'words'; readonly text: string; readonly message: string }
  | { readonly of: 'other' }

/** What differs from host to host. No other file knows a host's JSON. */
export type Adapter = {
  /** The tool that the host's fields speak of. */
  tool(fields: Fields): ToolUse
  /** The last message of the agent, where the host sends it. */
  lastMessage(fields: Fields): string | undefined
  /** What an entry of the host's transcript is; undefined for one that is not of the main thread. */
  entry(line: Fields): TranscriptEntry | undefined
  /** What is printed, which may be nothing. `fields` are what the host has sent, where that could be read. */
  render(answer: Answer, event: EventName, fields?: Fields): string
}
