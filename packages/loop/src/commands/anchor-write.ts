import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { busExists, locateStore, type Store } from '@switchyard/topic'
import { keepAnchor } from '../anchor/keep-anchor.ts'
import { shownAnchor } from '../anchor/render-anchor.ts'
import { takeAnchor } from '../anchor/take-anchor.ts'
import { openPlainChildren } from '../programs/children.ts'
import { openGit } from '../programs/git.ts'
import { recentRuns } from '../record/current.ts'
import { sessionOf } from '../record/env-session.ts'
import { findOwnRun, readOpenRun } from '../record/own-run.ts'
import type { SessionRun } from '../state/fold-session-run.ts'

/** `loop anchor write`: notes how a loop stands, as a compaction would. Exits 3 when there is none. */
export const anchorWrite = defineVerb({
  summary: 'Note how a loop stands, for after a compaction',
  flags: {
    run: { type: 'string', value: 'ID', summary: 'This run; else that of the session this runs in, else the newest' },
  },
  examples: ['loop anchor write'],
  async run({ cwd, env, flags, now, output }) {
    const store = locateStore({ cwd, env, name: '.jwz', variable: 'JWZ_STORE' })
    const run = findRun(store, flags.run?.toLowerCase(), env)
    if (run === undefined) {
      throw new Failure('notFound', `expected a run that is not over, ${flags.run ?? 'there'} is none`, {
        hint: 'loop start begins one',
      })
    }
    const anchor = await takeAnchor(openGit(openPlainChildren(env)), run)
    await keepAnchor(store, anchor, `loop-${run.id}`, now())
    output.one(anchor, shownAnchor)
    return undefined
  },
})

function findRun(
  store: Store,
  wanted: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): SessionRun | undefined {
  if (!busExists(store)) return undefined
  const session = sessionOf(env)
  if (wanted !== undefined) return readOpenRun(store, wanted, env)
  const own = session && findOwnRun(store, session, env)
  if (own !== undefined) return own
  for (const id of recentRuns(store)) {
    const run = readOpenRun(store, id, env)
    if (run !== undefined) return run
  }
  return undefined
}
