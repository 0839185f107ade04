import type { Execution } from '@switchyard/exec'
import { hearIn, type Said, type Words, wordsOf } from '../state/said.ts'

/** A line of shell, or an agent that `scope run` knows how to call. */
export type Runner = { readonly shell: string } | { readonly agent: string }

export const agents: readonly string[] = ['claude', 'codex', 'gemini', 'opencode', 'aider', 'socrates']

/** What `--with` means: the bare name of an agent is that agent, all else is a line of shell. */
export function runnerOf(wanted: string): Runner {
  return agents.includes(wanted.trim()) ? { agent: wanted.trim() } : { shell: wanted }
}

/** As it was given. */
export const nameOfRunner = (runner: Runner) => ('agent' in runner ? runner.agent : runner.shell)

/** What the runner says: its exit code, unless its output has a `<loop-done>` line, which is more precise. */
export function readVerdict(ran: Pick<Execution, 'exitCode' | 'timedOut' | 'stdout'>): Words {
  return wordsOf(endOf(ran), hearIn(ran.stdout))
}

function endOf({ exitCode, timedOut }: Pick<Execution, 'exitCode' | 'timedOut'>): Said {
  if (timedOut) return 'timeout'
  if (exitCode === 0) return 'done'
  return exitCode === 3 ? 'nothing' : 'failed'
}
