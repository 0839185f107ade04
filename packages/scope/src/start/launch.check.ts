import { checkOf } from '@switchyard/ground/check-of'
import { launchSchema } from './launch-schema.ts'

/** Whether a parsed file has the orders of a session. */
export const isLaunch = checkOf(launchSchema)

/** The fields of orders, in the order in which they are signed. */
export const launchFields = Object.keys(launchSchema.shape)
