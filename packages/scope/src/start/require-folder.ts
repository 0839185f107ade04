import { statAt } from '@switchyard/ground/at-path'
import { Failure } from '@switchyard/ground/failure'

/**
 * Fails as `conflict` where the folder in which a session works is gone: headless its agent could not be started, and
 * tmux would start it somewhere else.
 */
export function requireFolder(id: string, cwd: string): void {
  if (statAt(cwd)?.isDirectory()) return
  throw new Failure('conflict', `the folder of session ${id}, ${cwd}, is gone`, {
    hint: 'start it anew: scope spawn',
    retryable: false,
  })
}
