// Whether a line of the lease log is one of its records: what `leaseRecordSchema` says, by hand, because a guard that
// runs at each commit cannot pay for loading zod. A test holds the two against each other.
import { isPlainObject } from '@switchyard/ground/plain-object'
import type { LeaseRecord } from './schema.ts'

type Check = (value: unknown) => boolean
type Shape = Readonly<Record<string, Check>>

const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value)
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0
const isText: Check = (value) => typeof value === 'string' && value !== ''
const isId: Check = (value) => isText(value) && String(value).length <= 128
const isReason: Check = (value) => value === null || typeof value === 'string'
const isMode: Check = (value) => value === 'exclusive' || value === 'shared'
const isKeys: Check = (value) => Array.isArray(value) && value.length > 0 && value.every(isText)
const isIds: Check = (value) => Array.isArray(value) && value.every(isId)
const isFence: Check = (value) => isCount(value) && value !== 0
const isNames: Check = (value) =>
  value === undefined || (Array.isArray(value) && value.every((element) => typeof element === 'string'))

const lease = { keys: isKeys, mode: isMode, until: isNumber, reason: isReason, fence: isFence }
const standing = { ...lease, id: isId, holder: isText, at: isNumber, head: isId }
const taken = { ...lease, lease: isId, replaces: isIds, former: isNames }

const shapes: Readonly<Record<LeaseRecord['type'], Shape>> = {
  acquire: taken,
  steal: taken,
  renew: { lease: isId, keys: isKeys, until: isNumber, reason: isReason, replaces: isIds },
  release: { lease: isId, keys: isKeys, replaces: isIds },
  base: {
    offset: isCount,
    fence: isCount,
    leases: (value) =>
      Array.isArray(value) && value.every((element) => isPlainObject(element) && fits(element, standing)),
  },
}

/** Whether a record is one that the fold of leases knows. */
export function isLeaseRecord(record: object): record is LeaseRecord {
  if (!isPlainObject(record) || typeof record['type'] !== 'string' || !Object.hasOwn(shapes, record['type']))
    return false
  const shape = Object.entries(shapes).find(([type]) => type === record['type'])?.[1]
  return shape !== undefined && fits(record, { ...shape, v: (v) => v === 1, id: isId, at: isNumber, from: isText })
}

function fits(value: Record<string, unknown>, shape: Shape): boolean {
  return Object.entries(shape).every(([name, isValid]) => isValid(value[name]))
}
