import { type ExitCode, errorCode, exitCodes, isFailure } from '@switchyard/ground/failure'
import { isPlainObject } from '@switchyard/ground/plain-object'
import { onOneLine, type Sink, say } from './output.ts'

/** The error object of the agent contract. */
export type ErrorObject = {
  code: string
  message: string
  hint: string | null
  retryable: boolean
} & Readonly<Record<string, unknown>>

/** How a program is told why a tool ends: the exit code and the error object. */
export function describeError(error: unknown): { code: ExitCode; error: ErrorObject } {
  if (isFailure(error)) {
    const { exitCode, hint, kind, message, retryable } = error
    const object = { code: errorCode(kind), message, hint: hint ?? null, retryable }
    return { code: exitCode, error: { ...object, ...detailsOf(error) } }
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
  const names = Object.values(detailsOf(error)).map((name) => ` [${name}]`)
  return onOneLine(hint === null ? message : `${message}; ${hint}`) + names.join('')
}

/** What a tool's failures carry in `details`: names under which its documents know them. */
function detailsOf(error: object): Readonly<Record<string, unknown>> {
  return 'details' in error && isPlainObject(error.details) ? error.details : {}
}
