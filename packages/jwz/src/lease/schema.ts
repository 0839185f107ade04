import * as z from 'zod'

const id = z.string().min(1).max(128)
const keys = z.array(z.string().min(1)).min(1).describe('names, and path patterns relative to the top of the work tree')
const mode = z.enum(['exclusive', 'shared'])
const until = z.number().describe('milliseconds since 1970, by the clock of the holder')
const reason = z.string().nullable()
const fence = z.int().positive().describe('larger than that of any lease before it')

const envelope = {
  v: z.literal(1),
  id,
  at: z.number().describe('milliseconds since 1970, by the writer’s clock'),
  from: z.string().min(1),
}
const replaces = z.array(id).describe('the heads of the leases whose place it takes')
const former = z.array(z.string()).optional().describe('who held those')
const taken = { lease: id, keys, mode, until, reason, fence, replaces, former }

/** A lease as a checkpoint, a record of type `base`, lists it; `head` is the newest record of it that counts. */
const standing = z.object({
  id,
  holder: z.string().min(1),
  keys,
  mode,
  at: z.number(),
  until,
  reason,
  fence,
  head: id,
})

/** A record of `leases.jsonl`. `docs/formats/lease.md` is its promise; fields are only ever added. */
export const leaseRecordSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('acquire'), ...envelope, ...taken }),
  z.looseObject({ type: z.literal('steal'), ...envelope, ...taken }),
  z.looseObject({ type: z.literal('renew'), ...envelope, lease: id, keys, until, reason, replaces }),
  z.looseObject({ type: z.literal('release'), ...envelope, lease: id, keys, replaces }),
  z.looseObject({
    type: z.literal('base'),
    ...envelope,
    offset: z.int().nonnegative().describe('where its line has to begin in its file for it to count'),
    fence: z.int().nonnegative(),
    leases: z.array(standing),
  }),
])

/** What the verbs of `jwz lease` print with `--json`. */
export const leaseSchema = z.object({
  v: z.literal(1),
  id,
  holder: z.string(),
  keys: z.array(z.string()),
  mode,
  since: z.number(),
  until,
  reason,
  fence,
  state: z.enum(['held', 'expired', 'released']),
  paths: z.array(z.string()).optional().describe('the staged paths that it covers, from lease check --staged'),
})

/** What `jwz lease release` prints with `--json`: the keys of a lease that were given back. */
export const releasedSchema = z.object({ v: z.literal(1), lease: id, keys, at: z.number() })

export type LeaseRecord = z.infer<typeof leaseRecordSchema>
export type StandingLease = z.infer<typeof standing>
