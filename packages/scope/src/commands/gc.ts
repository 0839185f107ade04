import { defineVerb, type Shown } from '@switchyard/cli-kit'
import { counted } from '@switchyard/cli-kit/counted'
import { collect } from '../gc/collect.ts'
import type { Collected } from '../gc/gc-schema.ts'
import { scribeOf } from '../session/bus.ts'
import { needScope } from '../session/scope-store.ts'
import { openGit } from '../worktree/git.ts'

const olderMsDefault = 30 * 86_400_000

/**
 * `scope gc`: removes sessions that are over, each tree as a whole, with worktrees in which nothing would be lost, and
 * runs of workflows. What is at work or paused is never touched, and the bus keeps its events.
 */
export const gc = defineVerb({
  summary: 'Remove sessions that have been over for long, with their worktrees, and runs of workflows',
  flags: {
    'older-than': {
      type: 'duration',
      summary: 'Only sessions over for so long; 30d if neither this nor --keep is given',
    },
    keep: {
      type: 'integer',
      value: 'N',
      min: 0,
      max: 1_000_000,
      summary: 'So many trees that ended last stay, whatever their age',
    },
    'dry-run': { type: 'boolean', summary: 'Only say what would be removed' },
  },
  examples: ['scope gc --dry-run', 'scope gc --older-than 7d --keep 20'],
  async run(call) {
    const { flags, env, cwd, output } = call
    const store = needScope(call)
    const { keep = 0, 'older-than': older } = flags
    const olderMs = older ?? (flags.keep === undefined ? olderMsDefault : 0)
    const ground = { store, env, cwd, git: openGit(env), repository: store.repository, scribe: scribeOf(call, store) }
    const collected = await collect(ground, { olderMs, keep, isDry: flags['dry-run'] === true })
    output.list(collected, shown)
    output.note(`scope: ${sumOf(collected)}`)
    return undefined
  },
})

const shown: Shown<Collected> = {
  text: ({ kind, id, bytes, removed, dry_run, why }) =>
    removed ? `${dry_run ? 'would remove' : 'removed'} ${kind} ${id}  ${bytes} bytes` : `kept ${kind} ${id}: ${why}`,
  id: ({ id }) => id,
}

function sumOf(collected: readonly Collected[]): string {
  const gone = collected.filter(({ removed }) => removed)
  const of = (kind: Collected['kind']) => counted(gone.filter((one) => one.kind === kind).length, kind)
  const bytes = gone.reduce((sum, one) => sum + one.bytes, 0)
  const isDry = gone.some(({ dry_run }) => dry_run)
  return `${of('session')} and ${of('run')} ${isDry ? 'would be' : ''} removed, ${bytes} bytes`.replace('  ', ' ')
}
