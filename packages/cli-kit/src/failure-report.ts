import { type ExitCode, errorCode, exitCodes, isFailure } from './failure.ts'
import { type Sink, say } from './output.ts'

/**
 * Tells people, and with `json` programs, why a tool ends, and returns its exit code. A failure is one line; anything
 * else is a bug and shows its stack.
 */
export function report(tool: string, error: unknown, json: boolean, err: Sink): ExitCode {
  if (!isFailure(error)) {
    const message = error instanceof Error ? error.message : String(error)
    const stack = error instanceof Error ? error.stack : undefined
    say(`${tool}: bug: ${stack ?? message}`, err)
    if (json) sayObject({ code: errorCode('bug'), message, hint: null, retryable: false }, err)
    return exitCodes.bug
  }
  const { exitCode, hint, kind, message, retryable } = error
  const line = hint === undefined ? message : `${message}; ${hint}`
  say(`${tool}: ${line.replace(/\s*\n\s*/g, ' ')}`, err)
  if (json) sayObject({ code: errorCode(kind), message, hint: hint ?? null, retryable }, err)
  return exitCode
}

function sayObject(error: { code: string; message: string; hint: string | null; retryable: boolean }, err: Sink): void {
  say(JSON.stringify({ error }), err)
}
