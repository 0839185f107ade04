/** What a person or an agent may ask for; it shapes the contract. */
export const taskTypes = ['explore', 'implement', 'test', 'review', 'refactor'] as const
