// What is known of the chosen session: its files when there is news of it, and what git says, which takes longer, at
// most every two seconds.
import type { Store } from '@switchyard/topic'
import type { SessionView } from '../session/session-schema.ts'
import { branchAt, changesAt } from '../worktree/changes.ts'
import { openGit } from '../worktree/git.ts'
import type { Detail } from './detail.ts'
import { readDetail } from './read-detail.ts'

const diffMs = 2000
const gitLimits = { timeoutMs: 10_000, outputBytesMax: 100_000 }

type Kept = { readonly view: SessionView; readonly detail: Detail; readonly askedAt: number }

/** `onDiff` is called when git has answered. */
export function detailKeeper(store: Store, env: Readonly<Record<string, string | undefined>>, onDiff: () => void) {
  let kept: Kept | undefined
  let isAsking = false
  const git = openGit(env, gitLimits)
  const ask = async ({ id, cwd }: SessionView) => {
    isAsking = true
    const diff = await changesAt(git, cwd)
    isAsking = false
    if (kept?.view.id !== id) return onDiff()
    const isSame = diff.join('\n') === kept.detail.diff.join('\n')
    kept = { ...kept, detail: { ...kept.detail, diff, branch: branchAt(cwd) } }
    if (!isSame) onDiff()
  }
  return {
    /** What is known by now of a session of this store. */
    of: (view: SessionView, now: number): Detail => {
      const before = kept?.view.id === view.id ? kept : undefined
      const { diff = [], branch = undefined } = before?.detail ?? {}
      const detail = before?.view === view ? before.detail : { ...readDetail(store, view), diff, branch }
      const isDue = before === undefined || now - before.askedAt >= diffMs
      kept = { view, detail, askedAt: isDue && !isAsking ? now : (before?.askedAt ?? 0) }
      if (isDue && !isAsking) void ask(view)
      return detail
    },
  }
}
