import { defineVerb } from '@switchyard/cli-kit'
import { decideRenew } from '../lease/decide.ts'
import { asFlag, change, checkTtl, targetsOf, ttlFlag } from '../lease/session.ts'
import { leaseId, viewOf } from '../render/lease.ts'
import { storeFlag } from '../store/flags.ts'
import { openStore } from '../store/store.ts'

/** `jwz lease renew`: keeps leases for longer. Exits 5 when another has one by now, 3 when there is none. */
export const leaseRenew = defineVerb({
  summary: 'Keep your leases for longer',
  args: [{ name: 'lease', summary: 'Ids or keys of your leases', rest: true }],
  flags: { ...ttlFlag, ...asFlag, ...storeFlag },
  examples: ['jwz lease acquire deploy && jwz lease renew deploy --ttl 1h'],
  async run(call) {
    const ttlMs = checkTtl(call.flags.ttl)
    const targets = targetsOf(call, openStore(call), call.args.lease)
    const { written, reading } = await change(call, targets, (leases, actor) =>
      decideRenew(leases, actor, targets, ttlMs),
    )
    const renewed = new Set(written.flatMap((record) => (record.type === 'renew' ? [record.lease] : [])))
    const leases = [...reading.leases.current.values()].filter(({ id }) => renewed.has(id))
    const views = leases.map((lease) => viewOf(lease, call.now()))
    call.output.list(views, { text: leaseId, id: leaseId })
    return undefined
  },
})
