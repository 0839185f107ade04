// Where a store lies: whether it can be written there, on what disk, and others near by.
import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { systemCode } from '@switchyard/ground/failure'
import { bad, type Finding, ok, warn } from './finding.ts'

/** File systems that do not keep what O_APPEND promises between machines, by the number that statfs gives. */
const sharedFileSystems: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'CIFS',
  4266872130: 'SMB 2',
  16914839: '9p',
}

/** Whether this user may read and write in `folder`, which is that of the store or in it; `advice` is for who only reads. */
export function examineAccess(folder: string, store: { path: string; reason: string }, advice: string): Finding {
  const { R_OK, W_OK, X_OK } = constants
  const unread = refusal(folder, R_OK | X_OK)
  if (unread !== undefined)
    return bad('store', `${folder} may not be read: ${unread}`, 'give this user the right, or name another store')
  const unwritten = refusal(folder, W_OK)
  if (unwritten !== undefined) return bad('store', `${store.path} may not be written: ${unwritten}`, advice)
  return ok('store', `${store.path}: ${store.reason}`)
}

/** The disk's answer to who wants to use a place in these ways; undefined where they may. */
function refusal(path: string, ways: number): string | undefined {
  try {
    accessSync(path, ways)
    return undefined
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    return code
  }
}

/** Whether the disk keeps what appends promise. */
export function examineFileSystem(path: string, advice: string): Finding {
  const name = sharedFileSystems[statfsSync(path).type]
  if (name === undefined) return ok('disk', 'a local file system')
  return bad('disk', `${path} lies on ${name}, where appends from several machines can be lost`, advice)
}

/**
 * Stores called `name` that lie in the current folder or above it, and that no command here uses; `inside` is what a
 * store has in it.
 */
export function examineOthers(
  used: string,
  { cwd, name, inside, advice }: { cwd: string; name: string; inside: string; advice: (path: string) => string },
): Finding[] {
  const findings: Finding[] = []
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, name)
    if (path !== used && existsSync(join(path, inside)))
      findings.push(warn('other store', `${path} is not the one that is used here`, advice(path)))
    if (dirname(folder) === folder) return findings
  }
}
