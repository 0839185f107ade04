import { type ExitCode, errorCode, exitCodes, isFailure } from '@switchyard/ground/failure'
import { isPlainObject } from '@switchyard/ground/plain-object'
import { onOneLine, type Sink, say } from './output.ts'
import type { Tool } from './tool.ts'

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

/** The tool, and what its documents call a bug. */
type Reported = Pick<Tool, 'name' | 'bugDetails'>

/**
 * Tells people, and with `json` programs, why a tool ends, and returns its exit code. A failure is one line; anything
 * else is a bug and shows its stack.
 */
export function report({ name, bugDetails = {} }: Reported, error: unknown, json: boolean, err: Sink): ExitCode {
  const { code, error: known } = describeError(error)
  const object = isFailure(error) ? known : { ...known, ...bugDetails }
  const names = isFailure(error) ? '' : namesIn(bugDetails)
  say(`${name}: ${lineFor(error, object)}${names}`, err)
  if (json) say(JSON.stringify({ error: object }), err)
  return code
}

function lineFor(error: unknown, { message, hint }: ErrorObject): string {
  if (!isFailure(error)) return `bug: ${(error instanceof Error && error.stack) || message}`
  return onOneLine(hint === null ? message : `${message}; ${hint}`) + namesIn(detailsOf(error))
}

function namesIn(details: Readonly<Record<string, unknown>>): string {
  return Object.values(details)
    .map((name) => ` [${name}]`)
    .join('')
}

/** What a tool's failures carry in `details`: names under which its documents know them. */
function detailsOf(error: object): Readonly<Record<string, unknown>> {
  return 'details' in error && isPlainObject(error.details) ? error.details : {}
}
