import { type Call, defineVerb } from '@switchyard/cli-kit'
import { exitCodes, Failure, isFailure } from '@switchyard/ground/failure'
import { blockersOf } from '../lease/decide.ts'
import type { Lease } from '../lease/fold.ts'
import { leaseLog, readLeases } from '../lease/log.ts'
import { keyCovers } from '../lease/overlap.ts'
import { asFlag, keysOf, nameOf, noteFiles } from '../lease/session.ts'
import { type LeaseView, leaseId, leaseLines, viewOf } from '../render/lease.ts'
import { storeFlag } from '../store/flags.ts'
import { openStore } from '../store/store.ts'
import { lookOf, renderTime } from '../text/message-line.ts'

/** Paths that a warning names. */
const pathsShownMax = 3

const spec = {
  summary: 'See whether names, paths or what is staged are held by others',
  args: [{ name: 'key', summary: 'Names, paths or path patterns', optional: true, rest: true }],
  flags: {
    shared: { type: 'boolean', summary: 'For shared use: shared leases of others are not in the way' },
    staged: { type: 'boolean', summary: 'Warn of what is staged under exclusive leases of others' },
    strict: { type: 'boolean', summary: 'With --staged: exit 1 instead of only warning' },
    ...asFlag,
    ...storeFlag,
  },
  examples: ['jwz lease check deploy', "jwz lease check 'src/**' docs/jwz.md --json"],
} as const

/** `jwz lease check`: exits 1, and prints the leases in the way, when others hold one of the keys. */
export const leaseCheck = defineVerb({
  ...spec,
  async run(call) {
    const { args, flags, output } = call
    if (flags.staged ? args.key.length > 0 : args.key.length === 0)
      throw new Failure('usage', `expected keys or --staged, got ${flags.staged ? 'both' : 'neither'}`)
    if (flags.strict && !flags.staged)
      throw new Failure('usage', 'expected --staged with --strict; without it the exit code always tells')
    if (flags.staged) return checkStaged(call)
    const store = openStore(call)
    const now = call.now()
    const wish = {
      keys: keysOf(call, store, args.key),
      mode: flags.shared ? ('shared' as const) : ('exclusive' as const),
    }
    noteFiles(call, args.key)
    const blockers = blockersOf(readLeases(leaseLog(store)).leases, { from: nameOf(call, store), at: now }, wish)
    const look = lookOf(output, now)
    const views = blockers.map((lease) => viewOf(lease, now))
    output.list(views, { text: leaseLines(views, look), id: leaseId })
    return views.length === 0 ? undefined : exitCodes.failed
  },
})

/** A guard that only warns never stops a commit, not even when it cannot look. */
async function checkStaged(call: Call<typeof spec>): Promise<1 | undefined> {
  try {
    const views = await heldAndStaged(call)
    for (const view of views) call.output.note(warning(view))
    if (call.output.mode !== 'text') call.output.list(views, { text: leaseId, id: leaseId })
    return call.flags.strict && views.length > 0 ? exitCodes.failed : undefined
  } catch (error) {
    if (call.flags.strict || !isFailure(error)) throw error
    call.output.note(`leases were not looked at: ${error.message}`)
    return undefined
  }
}

/** The exclusive leases of others that cover something staged, and what. Git is asked only when there are some. */
async function heldAndStaged(call: Call<typeof spec>): Promise<LeaseView[]> {
  const now = call.now()
  const store = openStore(call)
  const { current } = readLeases(leaseLog(store)).leases
  const others = blockersOf({ current }, { from: nameOf(call, store), at: now }, { keys: ['**'], mode: 'shared' })
  if (others.length === 0) return []
  const { stagedPaths } = await import('../store/staged.ts')
  const staged = await stagedPaths(call.cwd, call.env)
  const covered = (lease: Lease) => staged.filter((path) => lease.keys.some((key) => keyCovers(key, path)))
  return others
    .map((lease) => ({ ...viewOf(lease, now), paths: covered(lease) }))
    .filter(({ paths }) => paths.length > 0)
}

function warning({ holder, keys, until, reason, paths = [] }: LeaseView): string {
  const more = paths.length > pathsShownMax ? ` and ${paths.length - pathsShownMax} more` : ''
  const why = reason === null ? '' : ` (${reason})`
  const what = `${paths.slice(0, pathsShownMax).join(', ')}${more}`
  return `${holder} holds ${keys.join(' ')} until ${renderTime(until)}${why}; staged here: ${what}`
}
