import { type ExitCode, exitCodes, isFailure } from '@switchyard/ground/failure'

/** The exit code that says which signal ended a verb: 130 for SIGINT, 143 for SIGTERM. */
export function interruptedCode({ reason }: AbortSignal): ExitCode {
  return isFailure(reason) ? reason.exitCode : exitCodes.interrupted
}
