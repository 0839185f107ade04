import { defineVerb } from '@switchyard/cli-kit'
import { counted } from '@switchyard/cli-kit/counted'
import { type Table, tableOf } from '@switchyard/cli-kit/table'
import { scribeOf } from '../session/bus.ts'
import { lookAtAll } from '../session/look.ts'
import { openYard } from '../worktree/own-worktree.ts'
import { standingOf } from '../worktree/standing.ts'
import { marksIn } from '../worktree/sweep.ts'
import type { WorktreeView } from '../worktree/worktree-schema.ts'

/** `scope worktree list`: the worktrees that sessions have of their own, and what each has that nobody else has. */
export const worktreeList = defineVerb({
  summary: 'List the worktrees of sessions, and how each stands',
  examples: ['scope worktree list', "scope worktree list --json | jq -r '.[] | select(.merged) | .session'"],
  async run(call) {
    const yard = openYard(call)
    const views: WorktreeView[] = []
    for (const mark of marksIn(yard, yard.repository)) {
      const [session] = await lookAtAll(scribeOf(call, yard.store), [mark.id])
      const { isThere, commits, uncommitted, isMerged } = await standingOf(yard.git, yard.repository.commonDir, mark)
      views.push({
        ...{ v: 1, session: mark.id, status: session?.state ?? null, path: mark.path, branch: mark.branch },
        ...{ base: session?.created.worktree?.base ?? null, there: isThere, commits },
        ...{ uncommitted: uncommitted.length, merged: isMerged, paused: mark.parked !== undefined },
      })
    }
    const text = tableOf(views, table, call.output)
    call.output.list(views, { text, id: ({ session }) => session, empty: 'no session has a worktree of its own' })
    return undefined
  },
})

const merged = (view: WorktreeView) => (view.merged ? 'merged' : counted(view.commits, 'commit'))
const uncommitted = ({ uncommitted: files, there, paused }: WorktreeView) =>
  there ? (files === 0 ? '' : `${counted(files, 'file')} not committed`) : paused ? 'paused' : 'gone'

const table: Table<WorktreeView> = {
  plain: (view) => [view.session, view.status ?? '', view.branch, merged(view), uncommitted(view), view.path],
  columns: [
    { text: ({ session }) => session },
    { text: ({ status }) => status ?? 'no session' },
    { text: ({ branch }) => branch },
    { text: merged },
    { text: uncommitted },
    { text: ({ path }) => path },
  ],
}
