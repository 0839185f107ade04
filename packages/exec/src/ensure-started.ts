import { exitCodes, Failure } from '@switchyard/ground/failure'
import type { Execution } from './execute.ts'
import type { Runner } from './runner.ts'

const refusal = /^scope: (cannot run .+?)(?:; (.+))?$/
const noProgramCodes: readonly (number | null)[] = [126, 127]

type Ended = Pick<Execution, 'exitCode' | 'stderr' | 'output'>

/**
 * Failure `outside` when the program of a runner, or the agent that `scope` was to run, could not be started: that is no
 * turn that failed, as nobody worked, and nobody will by trying again. `by` names what else could be given.
 */
export function ensureStarted(runner: Runner, { exitCode, stderr, output }: Ended, by: string): void {
  if ('shell' in runner && noProgramCodes.includes(exitCode)) {
    throw new Failure('outside', `expected to run ${runner.shell}, got: ${lastLine(output)}`, {
      hint: `put the program on PATH, or name another with ${by}`,
    })
  }
  if (exitCode !== exitCodes.outside) return
  const [, message, hint] =
    stderr
      .split('\n')
      .map((line) => refusal.exec(line) ?? [])
      .findLast(([line]) => line) ?? []
  if (message === undefined) return
  throw new Failure('outside', message, { retryable: false, ...(hint === undefined ? {} : { hint }) })
}

export const lastLine = (text: string) => text.trimEnd().split('\n').at(-1)?.trim() ?? ''
