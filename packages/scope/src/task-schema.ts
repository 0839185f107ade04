import { z } from 'zod'

/** What a person or an agent may ask for; it shapes the contract. */
export const taskType = z.enum(['explore', 'implement', 'test', 'review', 'refactor'])
