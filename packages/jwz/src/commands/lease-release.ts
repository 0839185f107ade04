import { defineVerb } from '@switchyard/cli-kit'
import { decideRelease, type Target } from '../lease/decide.ts'
import type { LeaseRecord } from '../lease/schema.ts'
import { asFlag, change, targetsOf } from '../lease/session.ts'
import { storeFlag } from '../store/flags.ts'
import { openStore } from '../store/store.ts'

/** `jwz lease release`: gives leases or single keys back; what nobody holds is as good as given. Another's exits 5. */
export const leaseRelease = defineVerb({
  summary: 'Give leases back',
  args: [{ name: 'lease', summary: 'Ids of your leases, or single keys of them', rest: true }],
  flags: { ...asFlag, ...storeFlag },
  examples: ['jwz lease release deploy', 'id=$(jwz lease acquire deploy) && jwz lease release "$id"'],
  async run(call) {
    const { args, output } = call
    const targets = targetsOf(call, openStore(call), args.lease)
    const { written } = await change(call, targets, (leases, actor) => decideRelease(leases, actor, targets))
    for (const [at, target] of targets.entries())
      if (!written.some((record) => isFor(record, target))) output.note(`nobody held ${args.lease[at]}`)
    const released = written.flatMap((record) => (record.type === 'release' ? [record] : []))
    output.list(
      released.map(({ lease, keys, at }) => ({ v: 1, lease, keys, at })),
      { text: ({ lease }) => lease, id: ({ lease }) => lease },
    )
    return undefined
  },
})

function isFor(record: LeaseRecord, target: Target): boolean {
  if (record.type !== 'release') return false
  return 'id' in target ? record.lease === target.id : record.keys.includes(target.key)
}
