// Whether changes are told on a bus.
import { busExists, type Store } from '@switchyard/topic'
import { type Finding, ok, warn } from '@switchyard/topic/examine/finding'

/** Looks at the bus that goes with the store; `bus` is undefined where none can be found. */
export function examineBus(bus: Store | undefined): Finding {
  if (bus === undefined) return warn('bus', 'no place for a bus can be found', 'jwz where says why')
  return busExists(bus)
    ? ok('bus', `changes are told on tissue:feed of ${bus.path}`)
    : ok('bus', 'there is none, so changes are told nobody; jwz init makes one')
}
