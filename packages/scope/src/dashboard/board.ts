// What the dashboard shows: the sessions as they stand, the chosen one, and what the keys mean at the moment.
import type { SessionView } from '../session/session-schema.ts'
import { isOver } from '../session/transitions.ts'
import type { Detail } from './detail.ts'
import { inOrder, isWaiting, type Row, rowsOf, type Views, type Wish } from './rows.ts'

/** What a line that is written is for. */
export type LineFor = 'new' | 'filter' | 'send' | 'resume'

/** What the keys do at the moment. `id` is the session that they act on, also when another is chosen meanwhile. */
export type Mode =
  | { readonly is: 'rows' }
  | { readonly is: 'help'; readonly scroll: number }
  | { readonly is: 'line'; readonly for: LineFor; readonly id: string; readonly text: string }
  | { readonly is: 'abort'; readonly id: string }
  | { readonly is: 'answer'; readonly id: string; readonly screen: readonly string[] }
  | { readonly is: 'logs'; readonly id: string; readonly lines: readonly string[]; readonly scroll: number }
  | { readonly is: 'detail'; readonly scroll: number }

export type Board = {
  readonly repo: string
  readonly views: Views
  /** The sessions of other tools, of which only the feed tells. */
  readonly others: ReadonlySet<string>
  /** In the order of rows that do not wait. */
  readonly ids: readonly string[]
  readonly wish: Wish
  readonly rows: readonly Row[]
  /** The chosen session; undefined where there is no row. */
  readonly chosen: string | undefined
  readonly hasDetail: boolean
  /** Whether the sessions of the user's other projects are shown too. */
  readonly hasProjects: boolean
  /** What is known of the chosen session beside its row. */
  readonly detail: Detail | undefined
  readonly mode: Mode
  /** What the last act came to. */
  readonly message: string
  /** Milliseconds since 1970: what ages are measured against. */
  readonly now: number
}

/** A board without sessions. */
export function newBoard(repo: string, now: number): Board {
  return {
    ...{
      repo,
      now,
      views: new Map(),
      others: new Set(),
      ids: [],
      rows: [],
      chosen: undefined,
      hasDetail: true,
      hasProjects: false,
      detail: undefined,
    },
    ...{ mode: { is: 'rows' }, message: '', wish: { folded: new Set(), hidesOver: false, filter: '' } },
  }
}

/** Sessions of this store, and of others, as they stand. */
export type News = { readonly own: readonly SessionView[]; readonly others: readonly SessionView[] }

/** The board with sessions as they stand by now. */
export function withNews(board: Board, { own, others }: News, now: number): Board {
  const news = [...own, ...others]
  if (news.length === 0) return { ...board, now }
  const views = new Map(board.views)
  for (const view of news) views.set(view.id, view)
  const ids = views.size === board.views.size ? board.ids : inOrder(views.keys())
  const named = others.length === 0 ? board.others : new Set([...board.others, ...others.map(({ id }) => id)])
  const next = { ...board, views, ids, others: named, now }
  const isAsBefore = board.wish.filter === '' && news.every((view) => keepsPlace(board.views.get(view.id), view))
  return isAsBefore ? withNewViews(next) : withRows(next)
}

/** Whether a session stands in the tree where it stood, with the same ones below it. */
const keepsPlace = (before: SessionView | undefined, now: SessionView): boolean =>
  before !== undefined &&
  isWaiting(before) === isWaiting(now) &&
  isOver(before.status) === isOver(now.status) &&
  before.children.length === now.children.length

/** Rows as they are, with sessions as they stand by now: to find rows anew is the larger part of most news. */
function withNewViews(board: Board): Board {
  const rows = board.rows.map((row) => {
    const view = board.views.get(row.view.id)
    return view === undefined || view === row.view ? row : { ...row, view }
  })
  return { ...board, rows }
}

/** The board with, or without, the sessions of the user's other projects; the next look brings them. */
export function withProjects(board: Board, hasProjects: boolean): Board {
  if (hasProjects) return { ...board, hasProjects }
  const views = new Map([...board.views].filter(([, { project }]) => project === undefined))
  return withRows({ ...board, hasProjects, views, ids: board.ids.filter((id) => views.has(id)) })
}

/** The board with other rows wished for. */
export const wishing = (board: Board, wish: Partial<Wish>): Board =>
  withRows({ ...board, wish: { ...board.wish, ...wish } })

/** A session stays chosen while it has a row; then the one in its place is. */
function withRows(board: Board): Board {
  const rows = rowsOf(board.views, board.ids, board.wish)
  const isThere = rows.some(({ view }) => view.id === board.chosen)
  const place = Math.min(placeOf(board), rows.length - 1)
  return { ...board, rows, chosen: isThere ? board.chosen : rows[Math.max(0, place)]?.view.id }
}

/** The place of the chosen row; 0 where there is none. */
export const placeOf = ({ rows, chosen }: Board): number =>
  Math.max(
    0,
    rows.findIndex(({ view }) => view.id === chosen),
  )

/** The row on which keys act; undefined where there is none. */
export const chosenRow = (board: Board): Row | undefined => board.rows[placeOf(board)]
