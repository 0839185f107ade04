import { checkOf } from '@switchyard/ground/check-of'
import { leaseRecordSchema } from './schema.ts'

/** Whether a line of the lease log is a record that the fold of leases knows. */
export const isLeaseRecord = checkOf(leaseRecordSchema)
