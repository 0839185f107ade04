import { defineVerb, type Shown } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { type Aborted, abortTree } from '../end/abort-tree.ts'
import { purgeSession, requireNoWorktree, treeOf } from '../end/purge-session.ts'
import { scribeOf } from '../session/bus.ts'
import { findSession, readSession } from '../session/read-session.ts'
import { needScope } from '../session/scope-store.ts'

/**
 * `scope abort`: ends sessions and all that they started, the deepest first, and keeps what they left, unless --purge
 * says that it goes too. Exits 3 when one does not exist, 5 when one that is to go has a worktree of its own; one that
 * is over stays as it is.
 */
export const abort = defineVerb({
  summary: 'End sessions with all that they started; their files stay',
  args: [{ name: 'session', summary: 'Ids or names', rest: true, complete: 'session' }],
  flags: {
    reason: { type: 'string', value: 'TEXT', default: 'aborted', summary: 'Why: the reason that wait tells' },
    'keep-children': { type: 'boolean', summary: 'Leave the sessions that it started' },
    purge: { type: 'boolean', summary: 'Then remove their files, also of those that were over' },
  },
  examples: ['scope abort 0', 'scope abort 0.1 --reason "wrong branch"', 'scope abort 2 --purge'],
  async run(call) {
    const { args, flags, output } = call
    if (args.session.length === 0) throw new Failure('usage', 'expected sessions to abort, got none')
    const store = needScope(call)
    const scribe = scribeOf(call, store)
    const keepsChildren = flags['keep-children']
    if (flags.purge && keepsChildren) {
      throw new Failure('usage', 'expected one of --purge and --keep-children, got both')
    }
    const ids = [...new Set(args.session.map((name) => findSession(store, name).id))]
    if (flags.purge)
      requireNoWorktree(
        store,
        ids.flatMap((id) => treeOf(store, id)),
      )
    for (const id of ids) {
      if (readSession(store, id) === undefined) continue
      for (const ended of await abortTree(scribe, id, { reason: flags.reason, keepsChildren })) {
        if (flags.purge) await purgeSession(scribe, ended.id)
        output.each({ ...ended, ...(flags.purge ? { purged: true } : {}) }, shown(flags.purge))
      }
    }
    return undefined
  },
})

const shown = (isPurged: boolean): Shown<Aborted> => ({
  text: ({ id, status, was }) =>
    `session ${id} ${was === status ? `was ${status} already` : 'is aborted'}${isPurged ? ', its files are removed' : ''}`,
  id: ({ id }) => id,
})
