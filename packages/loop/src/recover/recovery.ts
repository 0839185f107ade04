import type { Store } from '@switchyard/topic'
import type { Git } from '../programs/git.ts'
import type { Tissue } from '../programs/tissue.ts'
import type { Repository } from '../worktree/repository.ts'

/** What recovery works with; `by` is the run that cleans up. */
export type Recovery = {
  by: string
  repository: Repository
  git: Git
  tissue: Tissue
  store: Store
  /** Names the key by which a run of this machine is told. */
  env: Readonly<Record<string, string | undefined>>
  identity: Record<string, string>
  now: () => number
  note: (text: string) => void
}
