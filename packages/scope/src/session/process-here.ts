// Whether the process that keeps a session going is still there, as far as this process can tell.
import { bootId, isPidInUse, pidNamespace, statOfProcess } from '@switchyard/ground/process-name'
import type { ProcessOf } from './event-schema.ts'

/** No process outlives a boot or leaves its namespace: asked once, for whoever looks at a thousand sessions. */
let here: { readonly boot: string; readonly namespace: string } | undefined

/**
 * Whether a process is gone for good. One of another container is never said to be: its number means nothing here.
 */
export function isGone({ pid, start, boot, namespace }: ProcessOf): boolean {
  here ??= { boot: bootId(), namespace: pidNamespace() ?? '' }
  if (boot !== here.boot) return true
  if (namespace !== here.namespace) return false
  const found = statOfProcess(pid)
  if (found === undefined) return !isPidInUse(pid)
  return found.isZombie || (start !== '' && found.start !== start)
}
