import type { Context } from '@switchyard/cli-kit'
import { statAt } from '@switchyard/ground/at-path'
import { orRefused } from '@switchyard/ground/disk'
import { isFailure } from '@switchyard/ground/failure'
import { existsSync, join } from '@switchyard/ground/machine'
import { appendLine } from '@switchyard/jsonl'
import { openScope, sessionFolder } from '../session/scope-store.ts'

const logBytesMax = 64 * 1024

/** Appends a line on a hook that failed to `hook.log` of its session, where there is one with room. */
export function logFailure(call: Pick<Context, 'cwd' | 'env' | 'now'>, error: unknown): void {
  try {
    const folder = sessionFolder(openScope(call), call.env['SCOPE_SESSION_ID'] ?? '')
    const path = join(folder, 'hook.log')
    if (!existsSync(folder) || (statAt(path)?.size ?? 0) > logBytesMax) return
    const told =
      error instanceof Error ? (isFailure(error) ? error.message : (error.stack ?? error.message)) : String(error)
    const line = JSON.stringify({ v: 1, at: call.now(), error: told })
    orRefused(`${path} was to be written`, () => appendLine(path, line, { durable: false }))
  } catch (failure) {
    // A hook has nobody to tell that nothing can be written.
    if (!isFailure(failure)) throw failure
  }
}
