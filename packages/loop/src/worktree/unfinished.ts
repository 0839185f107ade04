// Work that a killed run left of an issue, for whoever works it next: a symbolic ref to the ref that keeps it.
import type { Git } from '../programs/git.ts'
import { readRef } from './ref-files.ts'
import type { Repository } from './repository.ts'

const refOf = (slug: string) => `refs/loop/unfinished/${slug}`

/** Notes that the work under `kept` is to be gone on with. */
export async function markUnfinished(git: Git, { here }: Repository, slug: string, kept: string): Promise<void> {
  await git.run(here, ['symbolic-ref', refOf(slug), kept])
}

/** The ref that keeps unfinished work of an issue, and its commit; undefined when there is none, or it was dropped. */
export async function findUnfinished(
  git: Git,
  { here }: Repository,
  slug: string,
): Promise<{ ref: string; commit: string } | undefined> {
  if (readRef(here.commonDir, refOf(slug)) === null) return undefined
  const ref = (await git.try(here, ['symbolic-ref', '--quiet', refOf(slug)])).stdout.trim()
  if (ref === '') return undefined
  const commit = (await git.try(here, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`])).stdout.trim()
  return commit === '' ? undefined : { ref, commit }
}

/** What is not there any more is forgotten already. */
export async function forgetUnfinished(git: Git, { here }: Repository, slug: string): Promise<void> {
  if (readRef(here.commonDir, refOf(slug)) === null) return
  await git.try(here, ['symbolic-ref', '--delete', refOf(slug)])
}
