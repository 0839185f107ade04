import { exitCodes, Failure } from '@switchyard/cli-kit/failure'
import type { Execution } from '@switchyard/exec'

const refusal = /^scope: (cannot run .+?)(?:; (.+))?$/

/**
 * Failure `outside` when `scope` could not start the agent that it was to run, which is no turn of an agent that
 * failed: nobody worked, and nobody will by trying again.
 */
export function ensureStarted({ exitCode, stderr }: Pick<Execution, 'exitCode' | 'stderr'>): void {
  if (exitCode !== exitCodes.outside) return
  const [, message, hint] =
    stderr
      .split('\n')
      .map((line) => refusal.exec(line) ?? [])
      .findLast(([line]) => line) ?? []
  if (message === undefined) return
  throw new Failure('outside', message, { retryable: false, ...(hint === undefined ? {} : { hint }) })
}
