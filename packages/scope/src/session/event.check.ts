import { checkOf } from '@switchyard/ground/check-of'
import { sessionEvent } from './event-schema.ts'

/** Whether a parsed line is an event of a session that this version knows. */
export const isSessionEvent = checkOf(sessionEvent)
