import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { acquireLease } from '../lease/acquire.ts'
import type { Wish } from '../lease/decide.ts'
import { renewLeases } from '../lease/renew.ts'
import { asFlag, checkReason, checkTtl, keysOf, noteFiles, ttlFlag } from '../lease/session.ts'
import { stealLease } from '../lease/steal.ts'
import { leaseId, viewOf } from '../render/lease.ts'
import { storeFlag } from '../store/flags.ts'
import { openStore } from '../store/store.ts'

const shown = { text: leaseId, id: leaseId }

/**
 * `jwz lease acquire`: takes all keys or none, and prints the id of the lease. Exits 5 when another holds one. With
 * `--renew` it takes nothing, and exits 3 when there is nothing to keep.
 */
export const leaseAcquire = defineVerb({
  summary: 'Take a lease on names or path patterns, or keep it longer',
  args: [{ name: 'key', summary: 'Names such as deploy, path patterns such as src/**', rest: true }],
  flags: {
    shared: { type: 'boolean', summary: 'Let others have a shared lease beside it' },
    ...ttlFlag,
    reason: { type: 'string', value: 'TEXT', summary: 'What for; those who are kept out read it' },
    wait: { type: 'duration', summary: 'Wait at most this long for its holder' },
    renew: { type: 'boolean', summary: 'Only keep what is yours, by keys or ids of leases; take nothing' },
    steal: { type: 'boolean', summary: "Take over another's lease, with all its keys; --reason tells them why" },
    ...asFlag,
    ...storeFlag,
  },
  examples: [
    "jwz lease acquire 'src/**' --reason 'new parser'",
    'jwz lease acquire deploy --wait 10m',
    'jwz lease acquire deploy && jwz lease acquire --renew deploy --ttl 1h',
    'jwz lease acquire deploy --steal --reason "its holder is gone"',
  ],
  async run(call) {
    const { args, flags, output, now } = call
    refuseBeside(flags)
    const store = openStore(call)
    const lasting = { ttlMs: checkTtl(flags.ttl), reason: checkReason(flags.reason) }
    if (flags.renew) {
      const leases = await renewLeases(call, store, args.key, lasting)
      output.list(
        leases.map((lease) => viewOf(lease, now())),
        shown,
      )
      return undefined
    }
    if (flags.steal) {
      output.one(viewOf(await stealLease(call, store, args.key, lasting), now()), shown)
      return undefined
    }
    const keys = keysOf(call, store, args.key)
    const wish: Wish = { ...lasting, keys, mode: flags.shared ? 'shared' : 'exclusive' }
    noteFiles(call, args.key)
    output.one(viewOf(await acquireLease(call, store, wish, flags.wait), now()), shown)
    return undefined
  },
})

type Flags = { renew: boolean; steal: boolean; shared: boolean; wait: number | undefined }

/** A lease that stands has its mode, and is kept or taken over at once or not at all. */
function refuseBeside({ renew, steal, shared, wait }: Flags): void {
  if (!renew && !steal) return
  const other = [renew && steal && 'steal', shared && 'shared', wait !== undefined && 'wait'].find((name) => name)
  if (other)
    throw new Failure('usage', `--${renew ? 'renew' : 'steal'} is for a lease as it is; got --${other} beside it`)
}
