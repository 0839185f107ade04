import { checkOf } from '@switchyard/ground/check-of'
import { cursorFileSchema, inboxFileSchema } from './schemas.ts'

/** Whether a file holds a consumer's place in a topic. */
export const isConsumerCursor = checkOf(cursorFileSchema)

/** Whether a file holds what an agent has read of what is addressed to it. */
export const isInboxFile = checkOf(inboxFileSchema)
