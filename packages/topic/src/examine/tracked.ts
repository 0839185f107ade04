// Whether git has the bus in its index: then it may have come with the repository, and goes wherever that goes.
import { join } from 'node:path'
import { readStoredBytes } from '@switchyard/ground/disk'
import type { Store } from '../store.ts'
import { bad, type Finding } from './finding.ts'

/** What to do about a bus that git tracks. */
export const howToUntrack = 'git rm -r --cached .jwz'

/** By a look into the index of the tree here and of the main tree, which hold the paths as they are. */
export function isBusTracked({ repository }: Pick<Store, 'repository'>): boolean {
  const folders = repository === undefined ? [] : [repository.gitDir, repository.commonDir]
  return folders.some((folder) => readStoredBytes(join(folder, 'index'))?.includes('.jwz/topics/'))
}

/** Nothing where it is not tracked. */
export function examineTracked(store: Pick<Store, 'repository'>): Finding[] {
  const detail =
    'git tracks topics: a checkout, stash or merge hides or loses messages, and they go wherever the repository goes'
  return isBusTracked(store) ? [bad('git', detail, `${howToUntrack}; share topics with jwz export and import`)] : []
}
