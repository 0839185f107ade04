import { ancestryOf, type OuterPlace, outerGit } from './outer-git.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * Moves the branch that is checked out, and the index, forward to a commit that came out of a sandbox; files are there
 * already. Where it is no step forward, or the branch has moved meanwhile, the commit is kept under a ref, which is
 * returned.
 */
export async function moveHead(
  outer: OuterPlace,
  { from, to }: { from: string | undefined; to: string },
  env: Env,
): Promise<string | undefined> {
  const git = outerGit(outer, env)
  const isForward = from === undefined || (await ancestryOf(git, from, to))
  const zero = '0'.repeat(to.length)
  if (isForward && (await git.try(['update-ref', '-m', 'sandbox: commit', 'HEAD', to, from ?? zero])).exitCode === 0) {
    await git.run(['read-tree', to])
    return undefined
  }
  const ref = `refs/sandbox/${to.slice(0, 12)}`
  await git.run(['update-ref', ref, to])
  return ref
}
