import { z } from 'zod'
import { taskTypes } from './task-words.ts'

/** What a person or an agent may ask for; it shapes the contract. */
export const taskType = z.enum(taskTypes)
