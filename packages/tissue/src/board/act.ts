// Acting on an issue from the board.
import { isFailure } from '@switchyard/ground/failure'
import { decideClaim } from '../change/claim.ts'
import { decideClose, decideStatus } from '../change/close.ts'
import { decideRelease } from '../change/release.ts'
import { findIssue, getState } from '../issue/issue.ts'
import { asOne } from '../log/draft.ts'
import { change, type StoreScene } from '../session/session.ts'
import type { Board, IssueAct } from './model.ts'

/** Does what a key asked for, by the rules of the verb; what it says instead of doing it is told in a line. */
export async function actOn(scene: StoreScene, act: IssueAct): Promise<Board['message']> {
  const notes: string[] = []
  const quiet = { ...scene, output: { ...scene.output, note: (text: string) => notes.push(text) } }
  try {
    const { events } = await change(quiet, (ledger, actor) => {
      const id = findIssue(ledger, act.id)
      if (act.is === 'claim') return [decideClaim(ledger, getState(ledger, id), actor)]
      if (act.is === 'release') return decideRelease(ledger, id, actor)
      if (act.is === 'open') return asOne(decideStatus(ledger, id, 'open', actor, {}))
      return decideClose(ledger, [id], actor, act.reason === '' ? {} : { reason: act.reason })
    })
    const done = { claim: 'claimed', release: 'released', open: 'open', close: 'closed' } as const
    const text = events.length > 0 ? `${act.id} ${done[act.is]}` : `${act.id}: nothing to do`
    return { text: [text, ...notes].join('; '), isError: false }
  } catch (error) {
    if (!isFailure(error)) throw error
    const hint = error.hint === undefined ? '' : `; ${error.hint}`
    return { text: `${error.message}${hint}`, isError: true }
  }
}
