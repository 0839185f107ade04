// How the sessions stand: read anew where there is news of them, and looked at now and then, because a process that is
// killed tells nobody.
import { liveIds } from '../session/live.ts'
import type { Scribe } from '../session/record.ts'
import type { SessionView } from '../session/session-schema.ts'
import { branchAt } from '../worktree/changes.ts'
import type { News } from './board.ts'
import type { Named } from './feed-news.ts'
import type { Others } from './others.ts'
import { glanceAt, idsToShow } from './sight.ts'

/** So many are shown that are over. */
const overMax = 1000
/** How many of the sessions at work are looked at with each tick, beside those on the screen. */
const lookedAtMax = 40

type Shown = Pick<SessionView, 'id' | 'cwd' | 'alive'>

export function watcherOf(scribe: Scribe, others: Others, elsewhere: () => Promise<SessionView[]>) {
  const branches = new Map<string, string>()
  let turn = 0
  const noteBranches = (folders: Iterable<string>) => {
    for (const cwd of new Set(folders)) {
      const branch = branchAt(cwd)
      if (branch === undefined) branches.delete(cwd)
      else branches.set(cwd, branch)
    }
  }
  return {
    /** The branches of the folders that were on the screen at the last tick. */
    branches,
    all: async (hasProjects: boolean): Promise<News> => ({
      own: await glanceAt(scribe, idsToShow(scribe, overMax)),
      others: [...others.views(scribe.now()), ...(hasProjects ? await elsewhere() : [])],
    }),
    named: async (named: Named): Promise<News> => ({
      own: await glanceAt(scribe, [...named.own]),
      others: others.views(scribe.now(), named.others),
    }),
    /** The sessions on the screen, and in turn all others that are at work. */
    ticked: async (shown: readonly Shown[], hasProjects: boolean): Promise<News> => {
      const live = liveIds(scribe.store)
      const slice = live.slice(turn, turn + lookedAtMax)
      turn = turn + lookedAtMax >= live.length ? 0 : turn + lookedAtMax
      noteBranches(shown.map(({ cwd }) => cwd))
      const ids = new Set([
        ...shown.filter(({ id, alive }) => alive && live.includes(id)).map(({ id }) => id),
        ...slice,
      ])
      const own = await glanceAt(scribe, [...ids])
      return { own, others: [...others.views(scribe.now()), ...(hasProjects ? await elsewhere() : [])] }
    },
  }
}
