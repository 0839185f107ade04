import { statAt } from '@switchyard/ground/at-path'
import { orRefused } from '@switchyard/ground/disk'
import { existsSync, join } from '@switchyard/ground/machine'
import { appendLine } from '@switchyard/jsonl'
import type { Store } from '@switchyard/topic'
import { sessionFolder } from './scope-store.ts'

const logBytesMax = 64 * 1024

type Complaint = { readonly at: number; readonly error: string }

/** Appends a line on what went wrong to a log beside those of a session, where the session is and the log has room. */
export function complain(store: Store, id: string, log: 'hook.log' | 'notify.log', { at, error }: Complaint): void {
  const folder = sessionFolder(store, id)
  const path = join(folder, log)
  if (!existsSync(folder) || (statAt(path)?.size ?? 0) > logBytesMax) return
  orRefused(`${path} was to be written`, () =>
    appendLine(path, JSON.stringify({ v: 1, at, error }), { durable: false }),
  )
}
