// What `scope gc` removes: trees of sessions with their worktrees, and runs of workflows of which no session is left.
import { counted } from '@switchyard/cli-kit/counted'
import { folderIn } from '@switchyard/ground/disk'
import type { Repository } from '@switchyard/ground/repository'
import { clearRemoved } from '../end/purge-session.ts'
import { findLeft } from '../session/left-processes.ts'
import { allIds, readSession } from '../session/read-session.ts'
import type { Scribe } from '../session/record.ts'
import { sessionFolder } from '../session/scope-store.ts'
import { closeTerminal, leftTerminals } from '../tmux/left-terminals.ts'
import { tmuxNameOf } from '../tmux/tmux.ts'
import { runStandings } from '../workflow/run-log.ts'
import { workerIn } from '../worktree/beside.ts'
import type { Git } from '../worktree/git.ts'
import { worktreePath } from '../worktree/make-worktree.ts'
import { type Keeper, readMark } from '../worktree/mark.ts'
import type { Mark } from '../worktree/mark-schema.ts'
import { dropWorktree } from '../worktree/remove-worktree.ts'
import { standingOf } from '../worktree/standing.ts'
import { dueTrees, isTreeAtRest, type Tree, type Wish } from './due.ts'
import type { Collected } from './gc-schema.ts'
import { bytesAt, removeHeld, removeRun, removeSession, whileHeld } from './remove.ts'

export type Ground = Keeper & {
  readonly cwd: string
  readonly git: Git
  readonly repository: Repository | undefined
  readonly scribe: Scribe
}

type Asked = Wish & { readonly isDry: boolean }

/** Removes what has had its time, and says of each what became of it. */
export async function collect(ground: Ground, asked: Asked): Promise<Collected[]> {
  const { store } = ground
  if (!asked.isDry) clearRemoved(store)
  const runs = runStandings(ground)
  const atWork = new Set(runs.flatMap(({ run, isAtWork }) => (isAtWork ? [run] : [])))
  const collected: Collected[] = []
  const gone = new Set<string>()
  for (const tree of dueTrees(store, asked, ground.scribe.now())) {
    const found = await collectTree(ground, tree, atWork, asked.isDry)
    for (const one of found) if (one.removed) gone.add(one.id)
    collected.push(...found)
  }
  if (!asked.isDry) await closeTerminals(ground, gone)
  const needed = new Set(
    allIds(store).flatMap((id) => (gone.has(id) ? [] : (readSession(store, id)?.created.workflow?.run ?? []))),
  )
  for (const { run, isAtWork, at } of runs) {
    if (isAtWork || needed.has(run) || at > ground.scribe.now() - asked.olderMs) continue
    const bytes = bytesAt(folderIn(store, `workflows/${run}`))
    if (!asked.isDry) removeRun(store, run)
    collected.push({ v: 1, kind: 'run', id: run, bytes, removed: true, dry_run: asked.isDry, why: null })
  }
  return collected
}

/** The children go before their parents: what a kill leaves is a tree again. */
async function collectTree(
  ground: Ground,
  tree: Tree,
  atWork: ReadonlySet<string>,
  isDry: boolean,
): Promise<Collected[]> {
  const { store } = ground
  const marks = tree.ids.flatMap((id) => readMark(ground, id) ?? [])
  const sizes = new Map(tree.ids.map((id) => [id, bytesAt(sessionFolder(store, id))]))
  for (const { id, path } of marks) sizes.set(id, (sizes.get(id) ?? 0) + bytesAt(path))
  // Whoever goes on with one of them would work in what is being removed.
  const held = isDry || marks.length === 0 ? [] : tree.ids
  const why = await whileHeld(store, held, () => removeTree(ground, tree, { marks, atWork, isDry, held }))
  return tree.ids.toReversed().map((id) => {
    const reason = why.get(id) ?? null
    const removed = reason === null
    return { v: 1, kind: 'session', id, bytes: sizes.get(id) ?? 0, removed, dry_run: isDry, why: reason }
  })
}

type Removing = {
  readonly marks: readonly Mark[]
  readonly atWork: ReadonlySet<string>
  readonly isDry: boolean
  /** The sessions whose locks this process has. */
  readonly held: readonly string[]
}

/** Returns why sessions stay; those that are not in it are gone. */
async function removeTree(ground: Ground, tree: Tree, { marks, atWork, isDry, held }: Removing) {
  const { store, git, repository, scribe } = ground
  const tips = new Map<string, string | null>()
  const why = isTreeAtRest(store, tree) ? await whyKept(ground, tree, marks, atWork, tips) : goneOnWith
  if (why !== undefined) return new Map(tree.ids.map((id) => [id, why]))
  const kept = new Map<string, string>()
  if (isDry) return kept
  for (const mark of repository === undefined ? [] : marks) {
    const tip = tips.get(mark.id) ?? null
    await dropWorktree(git, { ...ground, commonDir: repository?.commonDir ?? '' }, { ...mark, tip })
  }
  for (const id of tree.ids.toReversed()) {
    const isGone = await (held.includes(id) ? removeHeld(scribe, id) : removeSession(scribe, id))
    if (!isGone) kept.set(id, goneOnWith)
  }
  return kept
}

const goneOnWith = 'somebody goes on with it'

/** Why a tree stays whose time has come: something would be lost, or still runs. */
async function whyKept(
  { store, git, repository }: Ground,
  { ids, runs }: Tree,
  marks: readonly Mark[],
  atWork: ReadonlySet<string>,
  tips: Map<string, string | null>,
): Promise<string | undefined> {
  const run = [...runs].find((one) => atWork.has(one))
  if (run !== undefined) return `its workflow ${run} is at work`
  const left = findLeft(store, (session) => session !== undefined && ids.includes(session.id))
  if (left.pids.length > 0) return `process ${left.pids.join(', ')} of it still runs`
  for (const mark of marks) {
    if (repository === undefined || mark.path !== worktreePath(repository, mark.id)) {
      return `${mark.path} belongs to another repository`
    }
    const other = workerIn(store, mark.path, new Set(ids))
    if (other !== undefined) return `session ${other} works in ${mark.path}`
    const { uncommitted, isMerged, commits, tip } = await standingOf(git, repository.commonDir, mark)
    tips.set(mark.id, tip)
    if (uncommitted.length > 0) return `${mark.path} has ${counted(uncommitted.length, 'file')} in no commit`
    if (!isMerged) return `${mark.branch} has ${counted(commits, 'commit')} that nobody else has`
  }
  return undefined
}

async function closeTerminals(ground: Ground, gone: ReadonlySet<string>): Promise<void> {
  const names = new Set([...gone].map(tmuxNameOf))
  for (const name of gone.size === 0 ? [] : await leftTerminals(ground)) {
    if (names.has(name)) await closeTerminal(ground, name)
  }
}
