import type { Execution } from '@switchyard/exec'
import { type Said, saidIn } from '../session/said.ts'

/** Agents that `scope run` knows how to call; their bare names are short for it. */
export const agents: readonly string[] = ['claude', 'codex', 'gemini', 'opencode', 'aider', 'socrates']

/** The line of shell that `--with` means. */
export function runnerCommand(wanted: string): string {
  return agents.includes(wanted.trim()) ? `scope run --agent ${wanted.trim()}` : wanted
}

/** What the runner says: its exit code, unless its output has a `<loop-done>` line, which is more precise. */
export function readVerdict({ exitCode, timedOut, stdout }: Pick<Execution, 'exitCode' | 'timedOut' | 'stdout'>): Said {
  if (timedOut) return 'timeout'
  const said = saidIn(stdout)
  if (said !== undefined) return said
  if (exitCode === 0) return 'done'
  return exitCode === 3 ? 'nothing' : 'failed'
}
