import { messageSchema } from '@switchyard/topic/schema'
import * as z from 'zod'

/** What `jwz schema` prints: the records that other programs may read. */
export const schemas = { message: z.toJSONSchema(messageSchema) }
