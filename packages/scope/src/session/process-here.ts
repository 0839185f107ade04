// Whether the process that keeps a session going is still there, as far as this process can tell.
import { bootId, isPidInUse, pidNamespace, statOfProcess } from '@switchyard/ground/process-name'
import type { ProcessOf } from './event-schema.ts'

/**
 * Whether a process is gone for good. One of another container is never said to be: its number means nothing here.
 */
export function isGone({ pid, start, boot, namespace }: ProcessOf): boolean {
  if (boot !== bootId()) return true
  if (namespace !== (pidNamespace() ?? '')) return false
  const found = statOfProcess(pid)
  if (found === undefined) return !isPidInUse(pid)
  return found.isZombie || (start !== '' && found.start !== start)
}
