// The worktree that a session has of its own, as the verbs for it find it.
import type { Context } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import type { Repository } from '@switchyard/ground/repository'
import { scribeOf } from '../session/bus.ts'
import { isAtRest, isPaused, type Session } from '../session/fold-session.ts'
import { look } from '../session/look.ts'
import { openScope } from '../session/scope-store.ts'
import { type Git, openGit } from './git.ts'
import { worktreePath } from './make-worktree.ts'
import { type Keeper, readMark } from './mark.ts'
import type { Mark } from './mark-schema.ts'
import { type Standing, standingOf } from './standing.ts'
import { marksIn } from './sweep.ts'

/** Where worktrees of sessions are. */
export type Yard = Keeper & { readonly git: Git; readonly repository: Repository }

/** Exits 2 outside a repository. */
export function openYard({ cwd, env }: Pick<Context, 'cwd' | 'env'>): Yard {
  const store = openScope({ cwd, env })
  const { repository } = store
  if (repository === undefined) {
    throw new Failure('usage', `expected a git repository, ${cwd} is in none`, { hint: 'cd into one' })
  }
  return { store, env, repository, git: openGit(env) }
}

/** A session with a worktree of its own. */
export type Owned = { readonly yard: Yard; readonly session: Session; readonly mark: Mark & { readonly base: string } }

/** Exits 3 where there is no such session, or it has no worktree of its own. */
export async function findOwned(call: Context, name: string): Promise<Owned> {
  const yard = openYard(call)
  const session = await look(scribeOf(call, yard.store), name)
  return { yard, session, mark: requireWorktree(yard, session) }
}

/**
 * The worktree that a session has of its own, where it has one and that is in this repository. Exits 5 where it is in
 * another one: the store serves several.
 */
export function ownMark(keeper: Keeper, repository: Repository | undefined, { id }: Pick<Session, 'id'>) {
  const mark = readMark(keeper, id)
  if (mark === undefined || (repository !== undefined && mark.path === worktreePath(repository, id))) return mark
  throw new Failure('conflict', `the worktree of session ${id} is ${mark.path}, of another repository`, {
    hint: 'cd into that repository',
    retryable: false,
  })
}

/** Also how its worktree stands. Exits 5 while anybody works there. */
export async function findOver(call: Context, name: string): Promise<Owned & { readonly standing: Standing }> {
  const owned = await findOwned(call, name)
  requireOver(owned.session)
  return { ...owned, standing: await standingOf(owned.yard.git, owned.yard.repository.commonDir, owned.mark) }
}

/** Exits 3 where a session has none, or has that of the session that started it; names that one. */
function requireWorktree(yard: Yard, { id, created }: Session): Mark & { readonly base: string } {
  const mark = marksIn(yard, yard.repository).find((one) => one.id === id)
  const { worktree } = created
  if (mark !== undefined && worktree !== undefined) return { ...mark, base: worktree.base }
  const of = worktree?.of
  throw new Failure('notFound', `session ${id} has no worktree of its own`, {
    hint: of === undefined ? 'scope worktree list shows those that there are' : `it works in that of ${of}`,
  })
}

/** Exits 5 while anybody works there. */
function requireOver(session: Session): void {
  if (isAtRest(session)) return
  const { id } = session
  if (isPaused(session)) {
    throw new Failure('conflict', `session ${id} is paused`, { hint: `scope resume ${id}, or scope abort ${id}` })
  }
  throw new Failure('conflict', `session ${id} is not over`, { hint: `scope wait ${id}, or scope abort ${id}` })
}
