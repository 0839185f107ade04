import { defineVerb } from '@switchyard/cli-kit'
import { parseDuration } from '@switchyard/cli-kit/duration'
import { Failure } from '@switchyard/ground/failure'
import { locateStore } from '@switchyard/topic'
import { adoptRun } from '../by-hook/adopt.ts'
import { askRuns, controlFlags } from '../by-hook/ask-runs.ts'
import { configRootOf, readConfig } from '../config/read-config.ts'
import { bindRun, releaseRun } from '../record/binding.ts'
import { chooseRuns } from '../record/choose-run.ts'
import { parseSession, sessionOf } from '../record/env-session.ts'
import { readRun } from '../record/journal.ts'
import { requireMadeHere } from '../record/made-here.ts'
import type { Session } from '../state/event-schema.ts'

/**
 * `loop resume`: a paused run goes on. One whose session is gone goes on in the session that this is called in, or the
 * one that is named.
 */
export const resume = defineVerb({
  summary: 'Let a paused run go on, or take on one that another session left',
  flags: {
    ...controlFlags,
    all: { type: 'boolean', summary: 'Every run that is not over' },
    session: { type: 'string', value: 'HOST:ID', summary: 'The session that takes it on, instead of this one' },
  },
  examples: ['loop resume', 'loop resume --all'],
  async run(call) {
    const { flags, cwd, env, now, output } = call
    const store = locateStore({ cwd, env, name: '.jwz', variable: 'JWZ_STORE', override: flags.store })
    const wanted = flags.session === undefined ? sessionOf(env) : parseSession(flags.session)
    const staleAfterMs = parseDuration(readConfig(configRootOf(store)).stale_after) ?? 0
    for (const { run, owner, session, state, steps } of chooseRuns(store, flags, env, now())) {
      if (owner !== null || steps || state === 'finished') continue
      requireMadeHere(store, run, env)
      const to = wanted ?? session
      if (to === null) {
        throw new Failure('usage', `expected a session for run ${run}, this is none`, {
          hint: 'name one: --session HOST:ID',
        })
      }
      const isOther = !isSame(to, session)
      if (isOther && session !== null && state === 'active' && flags.session === undefined) {
        throw new Failure('conflict', `run ${run} is at work in ${session.host}:${session.id}`, {
          hint: `to take it away from there: --session ${to.host}:${to.id}`,
          retryable: false,
        })
      }
      if (!isOther) await bindRun(store, to, { run, stale_after: staleAfterMs }, now())
      else if (await adoptRun(store, to, { run, from: session, staleAfterMs }, call)) {
        if (session !== null) await releaseRun(store, session, run, now())
        output.note(`run ${run} is taken on by ${to.host}:${to.id}`)
      }
      if (readRun(store, run)?.work?.paused === false) output.note(`run ${run} was not paused`)
      const isHere = isSame(to, sessionOf(env))
      if (!isHere && state !== 'active') output.note(`type anything in the session ${to.host}:${to.id} to go on`)
    }
    return askRuns(call, { command: 'resume', text: '' })
  },
})

const isSame = (one: Session, other: Session | null | undefined) => one.host === other?.host && one.id === other.id
