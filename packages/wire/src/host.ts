/** The agents whose hooks are understood, by the names that people give them. */
export const hosts = ['claude', 'codex', 'gemini', 'opencode'] as const

export type Host = (typeof hosts)[number]

/** The host of that name. */
export function hostNamed(name: string | undefined): Host | undefined {
  return hosts.find((host) => host === name)
}
