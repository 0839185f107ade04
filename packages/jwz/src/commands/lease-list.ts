import { defineVerb } from '@switchyard/cli-kit'
import { isLive } from '../lease/decide.ts'
import { leaseLog, readLeases } from '../lease/log.ts'
import { asFlag, nameOf } from '../lease/session.ts'
import { leaseId, leaseLines, viewOf } from '../render/lease.ts'
import { storeFlag } from '../store/flags.ts'
import { openStore } from '../store/store.ts'
import { lookOf } from '../text/message-line.ts'

/** `jwz lease list`: the leases that hold now, oldest first. */
export const leaseList = defineVerb({
  summary: 'List the leases',
  flags: {
    all: { type: 'boolean', summary: 'Also those that are over and were not taken by another' },
    mine: { type: 'boolean', summary: 'Only your own' },
    ...asFlag,
    ...storeFlag,
  },
  examples: ['jwz lease list', 'jwz lease list --mine --json'],
  run(call) {
    const { flags, output } = call
    const now = call.now()
    const store = openStore(call)
    const { current } = readLeases(leaseLog(store)).leases
    const self = flags.mine ? nameOf(call, store) : undefined
    const views = [...current.values()]
      .filter((lease) => flags.all || isLive(lease, now))
      .filter(({ holder }) => self === undefined || holder === self)
      .sort((left, right) => left.fence - right.fence)
      .map((lease) => viewOf(lease, now))
    const look = lookOf(output, now)
    output.list(views, { text: leaseLines(views, look), id: leaseId, empty: 'no leases' })
    return undefined
  },
})
