/** Exit codes every tool shares; `docs/agent-contract.md` is their promise. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  ambiguous: 4,
  conflict: 5,
  lockTimeout: 6,
  corrupt: 7,
  outside: 8,
  limit: 9,
  bug: 70,
  waitTimeout: 124,
  interrupted: 130,
  terminated: 143,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

type FailureKind = Exclude<keyof typeof exitCodes, 'done' | 'bug'>

type FailureOptions = { hint?: string; cause?: unknown; retryable?: false }

const retryableKinds: readonly FailureKind[] = ['conflict', 'lockTimeout', 'outside', 'waitTimeout']

/**
 * The one error that tools throw on purpose: a line that says what was expected, what came, and in `hint` what to do
 * next. `kind` fixes the exit code and whether trying again may help; `retryable: false` says that it cannot, although
 * it may for others of the kind. Anything else that is thrown is a bug (exit 70).
 */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly kind: FailureKind
  readonly hint: string | undefined
  readonly exitCode: ExitCode
  readonly retryable: boolean

  constructor(kind: FailureKind, message: string, options: FailureOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.kind = kind
    this.hint = options.hint
    this.exitCode = exitCodes[kind]
    this.retryable = options.retryable ?? retryableKinds.includes(kind)
  }
}

/**
 * Recognises a failure by its fields rather than by its class: every lazily loaded file of a built tool has its own
 * copy of the class, so `instanceof` would miss those that a verb throws.
 */
export function isFailure(error: unknown): error is Failure {
  return error instanceof Error && error.name === 'Failure' && 'kind' in error && 'exitCode' in error
}

/** The word for a failure's kind in the error object: `not-found` for `notFound`. */
export function errorCode(kind: Failure['kind'] | 'bug'): string {
  return kind.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/**
 * The system's word for what went wrong, such as `ENOENT`, so that a catch can name what it expects and rethrow the
 * rest; undefined for what no call to the system has thrown.
 */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
