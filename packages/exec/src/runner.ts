/** A line of shell, or an agent that `scope run` knows how to call. */
export type Runner = { readonly shell: string } | { readonly agent: string }

export const agents: readonly string[] = ['claude', 'codex', 'gemini', 'opencode', 'aider', 'socrates']

/** What `--with` means: the bare name of an agent is that agent, all else is a line of shell. */
export function runnerOf(wanted: string): Runner {
  return agents.includes(wanted.trim()) ? { agent: wanted.trim() } : { shell: wanted }
}

/** As it was given. */
export const nameOfRunner = (runner: Runner) => ('agent' in runner ? runner.agent : runner.shell)
