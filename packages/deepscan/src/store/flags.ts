/** Which scan a verb is about. */
export const sessionFlag = {
  session: { type: 'string', value: 'ID', summary: 'The scan, by id or name, if not the current one' },
} as const

/** For what destroys. */
export const yesFlag = { yes: { type: 'boolean', short: 'y', summary: 'Do not ask' } } as const
