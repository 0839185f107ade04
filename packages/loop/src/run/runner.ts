import type { Execution } from '@switchyard/exec'
import type { WorkInput } from '../state/work-schema.ts'

/** What a runner says of its own work; whether it is true is for the gates. */
export type Verdict = Extract<WorkInput, { of: 'turn' }>['said']

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
  if (said !== undefined) return saidBy(said)
  if (exitCode === 0) return 'done'
  return exitCode === 3 ? 'nothing' : 'failed'
}

/** The word of a `<loop-done>` line. Others than these mean that it is done. */
function saidBy(word: string): Verdict {
  const verdicts: Readonly<Record<string, Verdict>> = {
    'nothing to do': 'nothing',
    nothing: 'nothing',
    stuck: 'stuck',
    max_iterations: 'limit',
    limit: 'limit',
  }
  return verdicts[word.trim().toLowerCase()] ?? 'done'
}
