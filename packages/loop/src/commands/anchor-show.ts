import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { locateStore } from '@switchyard/topic'
import { readAnchor } from '../anchor/keep-anchor.ts'
import { shownAnchor } from '../anchor/render-anchor.ts'
import { findSessionRun } from '../record/binding.ts'
import { sessionOf } from '../record/env-session.ts'

/** `loop anchor show`: what is kept of a loop over a compaction. Exits 3 when nothing is. */
export const anchorShow = defineVerb({
  summary: 'Show what was last noted of a loop before a compaction',
  flags: {
    run: { type: 'string', value: 'ID', summary: 'Of this run; else of the session this runs in, else the newest' },
  },
  examples: ['loop anchor show', 'loop anchor show --json | jq .next_step'],
  run({ cwd, env, flags, output }) {
    const store = locateStore({ cwd, env, name: '.jwz', variable: 'JWZ_STORE' })
    const session = sessionOf(env)
    const own = session === undefined ? undefined : findSessionRun(store, session)
    const run = flags.run?.toLowerCase() ?? own
    const anchor = readAnchor(store, run)
    if (anchor === undefined) {
      throw new Failure('notFound', `expected an anchor${run === undefined ? '' : ` of run ${run}`}, there is none`, {
        hint: 'loop anchor write makes one',
      })
    }
    output.one(anchor, shownAnchor)
    return undefined
  },
})
