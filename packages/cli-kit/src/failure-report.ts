import { type ExitCode, errorCode, exitCodes, isFailure } from '@switchyard/ground/failure'
import { onOneLine, type Sink, say } from './output.ts'

/** The error object of the agent contract. */
export type ErrorObject = { code: string; message: string; hint: string | null; retryable: boolean }

/** How a program is told why a tool ends: the exit code and the error object. */
export function describeError(error: unknown): { code: ExitCode; error: ErrorObject } {
  if (isFailure(error)) {
    const { exitCode, hint, kind, message, retryable } = error
    return { code: exitCode, error: { code: errorCode(kind), message, hint: hint ?? null, retryable } }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { code: exitCodes.bug, error: { code: errorCode('bug'), message, hint: null, retryable: false } }
}

/**
 * Tells people, and with `json` programs, why a tool ends, and returns its exit code. A failure is one line; anything
 * else is a bug and shows its stack.
 */
export function report(tool: string, error: unknown, json: boolean, err: Sink): ExitCode {
  const { code, error: object } = describeError(error)
  say(`${tool}: ${lineFor(error, object)}`, err)
  if (json) say(JSON.stringify({ error: object }), err)
  return code
}

function lineFor(error: unknown, { message, hint }: ErrorObject): string {
  if (!isFailure(error)) return `bug: ${(error instanceof Error && error.stack) || message}`
  return onOneLine(hint === null ? message : `${message}; ${hint}`)
}
