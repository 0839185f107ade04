// What is known of the chosen session: its files when there is news of it, and what git says, which takes longer, at
// most every two seconds.
import type { SessionView } from '../session/session-schema.ts'
import { branchAt, changesAt } from '../worktree/changes.ts'
import { openGit } from '../worktree/git.ts'
import type { Detail } from './detail.ts'
import type { Placed } from './projects.ts'
import { readDetail } from './read-detail.ts'

const diffMs = 2000
const gitLimits = { timeoutMs: 10_000, outputBytesMax: 100_000 }

type Kept = { readonly shown: string; readonly view: SessionView; readonly detail: Detail; readonly askedAt: number }

/** `onDiff` is called when git has answered. */
export function detailKeeper(env: Readonly<Record<string, string | undefined>>, onDiff: () => void) {
  let kept: Kept | undefined
  let isAsking = false
  const git = openGit(env, gitLimits)
  const ask = async (shown: string, { cwd }: SessionView) => {
    isAsking = true
    const diff = await changesAt(git, cwd)
    isAsking = false
    if (kept?.shown !== shown) return onDiff()
    const isSame = diff.join('\n') === kept.detail.diff.join('\n')
    kept = { ...kept, detail: { ...kept.detail, diff, branch: branchAt(cwd) } }
    if (!isSame) onDiff()
  }
  return {
    /** What is known by now of a session, which is shown with the id `shown`. */
    of: (shown: string, { store, view }: Placed, now: number): Detail => {
      const before = kept?.shown === shown ? kept : undefined
      const { diff = [], branch = undefined } = before?.detail ?? {}
      const detail = before?.view === view ? before.detail : { ...readDetail(store, view), id: shown, diff, branch }
      const isDue = before === undefined || now - before.askedAt >= diffMs
      kept = { shown, view, detail, askedAt: isDue && !isAsking ? now : (before?.askedAt ?? 0) }
      if (isDue && !isAsking) void ask(shown, view)
      return detail
    },
  }
}
