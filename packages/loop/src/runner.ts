import type { Execution } from '@switchyard/exec'
import type { Verdict } from './decide.ts'

/** Agents that `scope run` knows how to call; their bare names are short for it. */
export const agents: readonly string[] = ['claude', 'codex', 'gemini', 'opencode', 'aider', 'socrates']

/** The line of shell that `--with` means. */
export function runnerCommand(wanted: string): string {
  return agents.includes(wanted.trim()) ? `scope run --agent ${wanted.trim()}` : wanted
}

/**
 * What the runner says: its exit code, unless the last line of its output is a `<loop-done>` line, which is more
 * precise.
 */
export function readVerdict({
  exitCode,
  timedOut,
  stdout,
}: Pick<Execution, 'exitCode' | 'timedOut' | 'stdout'>): Verdict {
  if (timedOut) return 'timeout'
  const said = /^<loop-done>(.*)<\/loop-done>$/.exec(stdout.trimEnd().split('\n').at(-1)?.trim() ?? '')?.[1]
  if (said !== undefined) return said.trim().toLowerCase() === 'nothing to do' ? 'nothing' : 'done'
  if (exitCode === 0) return 'done'
  return exitCode === 3 ? 'nothing' : 'failed'
}
