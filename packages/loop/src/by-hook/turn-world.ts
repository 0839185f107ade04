import type { Store } from '@switchyard/topic'
import type { HostEvent } from '@switchyard/wire/host-event'

export type StopEvent = Extract<HostEvent, { event: 'stop' }>

/** The world of a stop hook. */
export type TurnWorld = {
  readonly store: Store
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: () => number
  /** When the hook has to have answered, in milliseconds since 1970. */
  readonly until: number
}
