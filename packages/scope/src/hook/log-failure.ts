import type { Context } from '@switchyard/cli-kit'
import { isFailure } from '@switchyard/ground/failure'
import { complain } from '../session/complain.ts'
import { openScope } from '../session/scope-store.ts'

/** Appends a line on a hook that failed to `hook.log` of its session, where there is one with room. */
export function logFailure(call: Pick<Context, 'cwd' | 'env' | 'now'>, error: unknown): void {
  try {
    const told =
      error instanceof Error ? (isFailure(error) ? error.message : (error.stack ?? error.message)) : String(error)
    complain(openScope(call), call.env['SCOPE_SESSION_ID'] ?? '', 'hook.log', { at: call.now(), error: told })
  } catch (failure) {
    // A hook has nobody to tell that nothing can be written.
    if (!isFailure(failure)) throw failure
  }
}
