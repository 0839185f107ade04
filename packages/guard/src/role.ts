const readOnly = ['explorer', 'librarian', 'oracle', 'reviewer'] as const

export type Role = (typeof readOnly)[number]

/** The read-only role of an agent's type: `loop:reviewer` is a reviewer. Undefined for agents without limits. */
export function roleOf(agentType: string | undefined): Role | undefined {
  const name = agentType?.slice(agentType.lastIndexOf(':') + 1)
  return readOnly.find((role) => role === name)
}

/** Whether an agent may only read. */
export const isLimited = (agentType: string | undefined) => roleOf(agentType) !== undefined
