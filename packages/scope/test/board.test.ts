import fc from 'fast-check'
import { expect, it } from 'vitest'
import { newBoard, wishing, withNews } from '../src/dashboard/board.ts'
import { rowsOf } from '../src/dashboard/rows.ts'
import { foldSession, type Session } from '../src/session/fold-session.ts'
import type { SessionView } from '../src/session/session-schema.ts'
import { viewFrom } from '../src/session/session-view.ts'
import { event, made } from './store.ts'

/** A session as it stands, with these below it. */
function viewOf(id: string, { needs, isOver, children, activity }: News): SessionView {
  const events = [
    ...made(id, { ...(needs ? { needs: 'Which?' } : {}), isOver }),
    ...children.map((child) => event(id, { event: 'child', by: 'spawn', child: `${id}.${child}` })),
  ]
  const session = events.reduce<Session | undefined>(foldSession, undefined)
  if (session === undefined) throw new Error('expected a session')
  return viewFrom(session, { activity, result: null })
}

type News = { needs: boolean; isOver: boolean; children: readonly number[]; activity: string }

const news = fc.record({
  id: fc.constantFrom('0', '0.0', '0.1', '0.0.0', '1', '2', '2.1'),
  about: fc.record({
    ...{ needs: fc.boolean(), isOver: fc.boolean(), activity: fc.constantFrom('', 'reading', 'editing') },
    children: fc.uniqueArray(fc.nat(1), { maxLength: 2 }),
  }),
})

it('the rows of the dashboard are the same, whether the sessions came one after the other or all are looked at anew', () => {
  fc.assert(
    fc.property(
      fc.array(news, { maxLength: 20 }),
      fc.boolean(),
      fc.constantFrom('', 'read'),
      (all, hidesOver, filter) => {
        const empty = wishing(newBoard('here', 0), { hidesOver, filter, folded: new Set(['0']) })
        const board = all.reduce(
          (before, { id, about }, at) => withNews(before, { own: [viewOf(id, about)], others: [] }, at),
          empty,
        )
        expect(board.rows).toEqual(rowsOf(board.views, board.ids, board.wish))
      },
    ),
  )
})
