import type { Execution } from '@switchyard/exec'
import { hearIn, type Said, type Words, wordsOf } from '../state/said.ts'

/** What the runner says: its exit code, unless its output has a `<loop-done>` line, which is more precise. */
export function readVerdict(ran: Pick<Execution, 'exitCode' | 'timedOut' | 'stdout'>): Words {
  return wordsOf(endOf(ran), hearIn(ran.stdout))
}

function endOf({ exitCode, timedOut }: Pick<Execution, 'exitCode' | 'timedOut'>): Said {
  if (timedOut) return 'timeout'
  if (exitCode === 0) return 'done'
  return exitCode === 3 ? 'nothing' : 'failed'
}
