import { checkOf } from '@switchyard/ground/check-of'
import { ackSchema, messageSchema } from './message-schema.ts'

/** Whether a record is a message. */
export const isMessage = checkOf(messageSchema)

/** Whether a record says that somebody has taken in a message. */
export const isAck = checkOf(ackSchema)
