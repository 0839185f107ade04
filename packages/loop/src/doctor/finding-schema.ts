import { findingSchema } from '@switchyard/topic/examine/finding-schema'
import { left } from '../recover/left-schema.ts'

/** What `loop doctor` prints for each look; of what a crash left, also that. */
export const finding = findingSchema.extend(left.partial().shape)
