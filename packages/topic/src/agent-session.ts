// The sessions of agents, as their hosts name them to the commands that they run.

type Env = Readonly<Record<string, string | undefined>>

/** Which host says with which variable which session a command runs in; a host's earlier one wins. */
const variables = [
  ['claude', 'CLAUDE_CODE_SESSION_ID'],
  ['codex', 'CODEX_THREAD_ID'],
  ['codex', 'CODEX_SESSION_ID'],
  ['gemini', 'GEMINI_SESSION_ID'],
  ['opencode', 'OPENCODE_SESSION_ID'],
] as const

/** A session of an agent: its host, and the id that the host gave it. */
export type AgentSession = { host: (typeof variables)[number][0]; id: string }

/** The variable with which its host names a session to the commands that it runs. */
export function sessionVariable({ host, id }: AgentSession): Record<string, string> {
  const [, name] = variables.find(([of]) => of === host) ?? []
  return name === undefined ? {} : { [name]: id }
}

/** The session of an agent that a command was called in; undefined in an ordinary shell. */
export function agentSession(env: Env): AgentSession | undefined {
  for (const [host, name] of variables) {
    const id = env[name]
    if (id !== undefined && id.trim() !== '') return { host, id }
  }
  return undefined
}
