import type { Store } from '@switchyard/topic'
import type { Answer, HostEvent } from '../hook/host-event.ts'

export type StopEvent = Extract<HostEvent, { event: 'stop' }>

/** The world of a stop hook. `until`: when the hook has to have answered, in milliseconds since 1970. */
export type TurnWorld = {
  readonly store: Store
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: () => number
  readonly until: number
}

/** What a session's agent hears when it wants to stop. */
export async function takeTurn(_event: StopEvent, _world: TurnWorld): Promise<Answer> {
  return { do: 'allow' }
}
