import { defineVerb, type Shown } from '@switchyard/cli-kit'
import { inRow } from '@switchyard/cli-kit/in-row'
import { exitCodes } from '@switchyard/ground/failure'
import { holdLock } from '@switchyard/jsonl'
import { identify } from '@switchyard/topic'
import { ensureTools, locateStores } from '../by-runner/open-core.ts'
import { openTissue } from '../programs/tissue.ts'
import { findDeadRuns } from '../record/run-folder.ts'
import { recoverDeadRuns } from '../recover/recover.ts'
import type { Recovered } from '../recover/recover-schema.ts'
import { type Finding, scan } from '../recover/scan.ts'
import { openPlace } from '../worktree/open-place.ts'
import { landingLock } from '../worktree/repository.ts'

const lockWaitMs = 10_000

/** `loop recover`: what runs do at their start, and all else that crashes leave. Exits 3 when there is nothing. */
export const recover = defineVerb({
  summary: 'Clean up after crashes: dead runs, claims, rebases, what has landed but is still open',
  flags: {
    'dry-run': { type: 'boolean', summary: 'Only say what there is' },
    as: { type: 'string', value: 'NAME', summary: 'Who closes issues that have landed' },
  },
  examples: ['loop recover --dry-run', 'loop recover'],
  async run({ cwd, env, now, flags, output }) {
    ensureTools(['git', 'tissue'], { cwd, env })
    const place = await openPlace({ cwd, env, now })
    const { git, repository, identity, runChild } = place
    const { commonDir } = repository
    const { bus: store } = locateStores(cwd, env)
    const tissue = openTissue(runChild, repository.root)
    const as = identify({ as: flags.as, env, store })
    const isDry = flags['dry-run']
    const dead = findDeadRuns(commonDir, now()).map(({ run }): Recovered => {
      const text = 'its process is gone: what landed is closed, the rest is kept and free again'
      return { found: 'dead-run', what: run, action: 'clean-up', done: !isDry, text }
    })
    const note = (text: string) => output.note(`loop: ${text}`)
    if (!isDry) await recoverDeadRuns({ by: as, repository, git, tissue, store, env, identity, now, note })
    const look = () => scan({ place, tissue, store, as, env, note })
    const rest = isDry ? (await look()).map(seenOnly) : await endAll(landingLock(commonDir), look)
    const all = [...dead, ...rest]
    output.list(all, { ...shownRecovered, empty: 'nothing to recover' })
    return all.length === 0 ? exitCodes.notFound : exitCodes.done
  },
})

const seenOnly = ({ seen }: Finding): Recovered => ({ ...seen, done: false })

/** Under the lock of landings, so that what looks left behind is nobody's landing that is under way. */
async function endAll(lock: string, look: () => Promise<Finding[]>): Promise<Recovered[]> {
  const ended: Recovered[] = []
  await holdLock(
    lock,
    async () => {
      for (const { seen, act } of await look()) {
        await act?.()
        ended.push({ ...seen, done: act !== undefined })
      }
    },
    { deadlineMs: lockWaitMs },
  )
  return ended
}

const shownRecovered: Shown<Recovered> = {
  text: ({ found, what, action, text }) => inRow(`${found}  ${what}  ${action}  ${text}`),
  id: ({ what }) => what,
}
