import { Failure } from '@switchyard/ground/failure'
import { type ErrorCode, type ErrorRow, errorTable } from './codes.ts'

/** What fills the places of a code's message; `hint` says more exactly than its remedy what to do. */
export type FailDetails = Readonly<Record<string, string | number>> & { hint?: string }

/** A failure with the code by which deepscan's documents know it; the error line ends with it, in brackets. */
class CodedFailure extends Failure {
  readonly details: Readonly<Record<string, string>>

  constructor(code: ErrorCode, { message, kind, remedy }: ErrorRow & { kind: Failure['kind'] }, given: FailDetails) {
    const filled = message.replace(/\{(\w+)\}/g, (_, name: string) => String(given[name] ?? `<${name}>`))
    super(kind, filled, { hint: given.hint ?? remedy })
    this.details = { ds: code }
  }
}

/** The failure of a code. A place in its message that `details` does not fill shows its name, `<path>`. */
export function fail(code: Exclude<ErrorCode, 'DS-501'>, details: FailDetails = {}): Failure {
  return new CodedFailure(code, errorTable[code], details)
}

/** The code of a failure that has one. */
export function errorCodeOf(error: unknown): string | undefined {
  const details = error instanceof Error && 'details' in error ? error.details : undefined
  const ds = typeof details === 'object' && details !== null && 'ds' in details ? details.ds : undefined
  return typeof ds === 'string' ? ds : undefined
}
