import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { decideSteal } from '../lease/decide.ts'
import { getLease } from '../lease/log.ts'
import { asFlag, change, checkReason, checkTtl, targetsOf, ttlFlag } from '../lease/session.ts'
import { leaseId, viewOf } from '../render/lease.ts'
import { storeFlag } from '../store/flags.ts'
import { openStore } from '../store/store.ts'

/** `jwz lease steal`: takes over a lease that another holds, and tells them. Prints the id of the new one. */
export const leaseSteal = defineVerb({
  summary: "Take over another's lease, with all its keys",
  args: [{ name: 'lease', summary: 'Its id, or one of its keys' }],
  flags: {
    reason: { type: 'string', value: 'TEXT', summary: 'Why; the former holder reads it' },
    ...ttlFlag,
    ...asFlag,
    ...storeFlag,
  },
  examples: ['jwz lease steal deploy --reason "its holder is gone"'],
  async run(call) {
    const { args, flags, output, now } = call
    const reason = checkReason(flags.reason)
    if (reason === undefined)
      throw new Failure('usage', 'expected --reason TEXT, which the former holder reads; got none')
    const ttlMs = checkTtl(flags.ttl)
    const [target = { id: args.lease }] = targetsOf(call, openStore(call), [args.lease])
    const { written, reading } = await change(call, [target], (leases, actor) =>
      decideSteal(leases, actor, target, { ttlMs, reason }),
    )
    const [record] = written
    if (record === undefined) throw new Error('bug: a lease was decided and not written')
    output.one(viewOf(getLease(reading, record.id), now()), { text: leaseId, id: leaseId })
    return undefined
  },
})
