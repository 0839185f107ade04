import { defineVerb } from '@switchyard/cli-kit'
import { type ExitCode, exitCodes, Failure } from '@switchyard/ground/failure'
import { openAndLand, openPlaces } from '../by-hand/open-by-hand.ts'
import { notQueuedHere, pickEntries, readEntries } from '../land/queue.ts'
import { shownResult } from '../render/shown.ts'
import type { IssueResult } from '../state/event-schema.ts'
import { askingTrust } from '../trust/ask-trust.ts'
import { landingCode } from './land.ts'

/**
 * `loop queue retry`: exits 0 when all of it landed, 3 when nothing is queued, else as `loop land` does for the first
 * that did not.
 */
const verb = defineVerb({
  summary: 'Land what is queued or parked, as it was to land',
  args: [{ name: 'issue', summary: 'Only these', optional: true, rest: true }],
  flags: {
    verify: { type: 'string', value: 'CMD', summary: 'Another verify command' },
    timeout: { type: 'duration', default: '1h', summary: 'Of one call of the verify command' },
    as: { type: 'string', value: 'NAME', summary: 'Who lands it' },
  },
  examples: ['loop queue retry', 'loop queue retry auth-123'],
  async run({ args, flags, cwd, env, now, output, interrupted }) {
    const { repository } = await openPlaces({ cwd, env })
    const known = readEntries(repository.commonDir, env)
    const picked = pickEntries(known, args.issue ?? [])
    const [foreign, ...others] = picked.filter((entry) => !entry.made_here)
    if (foreign !== undefined && args.issue !== undefined && args.issue.length > 0) {
      throw new Failure('conflict', notQueuedHere(foreign), { retryable: false })
    }
    for (const entry of foreign === undefined ? [] : [foreign, ...others]) output.note(`loop: ${notQueuedHere(entry)}`)
    const entries = picked.filter((entry) => entry.made_here)
    if (entries.length === 0) {
      output.note('nothing is queued or parked')
      return exitCodes.notFound
    }
    const stop = interrupted()
    const note = (text: string) => output.note(`loop: ${text}`)
    const results: IssueResult[] = []
    let code: ExitCode = exitCodes.done
    for (const { branch, base, verify, strategy, push } of entries) {
      stop.throwIfAborted()
      const landing = { push: push ?? false, strategy }
      const hand = { cwd, env, now, note, stop, as: flags.as, timeoutMs: flags.timeout }
      const how = { base, landing, keep: false, verify: flags.verify ?? verify ?? undefined }
      const result = await openAndLand(hand, { change: branch, ...how })
      results.push(result)
      if (output.mode !== 'json') output.each(result, shownResult)
      if (code === exitCodes.done) code = landingCode(result)
    }
    if (output.mode === 'json') output.list(results, shownResult)
    return code
  },
})

export const queueRetry = askingTrust(verb)
