// The dashboard on a terminal: keys and news of sessions come in, one after the other; a screen and acts go out.
import { basename } from 'node:path'
import type { Context } from '@switchyard/cli-kit'
import type { Typed } from '@switchyard/cli-kit/terminal/keys'
import { newsQueue } from '@switchyard/cli-kit/terminal/news-queue'
import { openScreen, type Screen } from '@switchyard/cli-kit/terminal/screen'
import { createBus } from '@switchyard/topic'
import { busPlace, scribeOf } from '../session/bus.ts'
import { projectOf } from '../session/projects.ts'
import { type Desk, deedsOf, paneBeside } from './act.ts'
import { type Board, chosenRow, newBoard, withNews, withProjects } from './board.ts'
import { detailKeeper } from './detail-keeper.ts'
import { followFeed, type Named, readBack } from './feed-news.ts'
import { openPainter } from './ink-lines.ts'
import { layoutOf, roomOn, rowsShown } from './layout.ts'
import { otherSessions } from './others.ts'
import { paste, press } from './press.ts'
import { sessionsElsewhere } from './projects.ts'
import { ownIn } from './sight.ts'
import { watcherOf } from './watcher.ts'

/** How often ages are counted, and sessions looked at whose process may have gone. */
const tickMs = 1000

type Change = (board: Board) => Board
type News =
  | Typed
  | { readonly happened: 'resized' | 'ticked' }
  | { readonly happened: 'named'; readonly named: Named }
  | { readonly happened: 'done'; readonly change: Change }
  | { readonly happened: 'failed'; readonly error: unknown }

type Options = {
  /** Whether terminals of sessions are shown beside the dashboard, and not in its place. */
  readonly besides: boolean
  /** Whether the panes beside it end with it. */
  readonly closesPanes: boolean
  /** Whether it begins with the sessions of all projects. */
  readonly hasProjects: boolean
}

type Scene = ReturnType<typeof sceneOf>

/** Shows the sessions until it is quit. */
export async function watchSessions(
  call: Context & { readonly store: Desk['store'] },
  options: Options,
): Promise<void> {
  const bus = busPlace(call)
  if (bus !== undefined) createBus(bus)
  const scene = sceneOf({ ...call, besides: options.besides })
  const painter = await openPainter(call.output.color)
  const stop = new AbortController()
  const { news } = scene
  const following = bus === undefined ? undefined : followed(scene, bus, stop.signal)
  const ticking = setInterval(() => news.push({ happened: 'ticked' }), tickMs)
  const screen = openScreen({
    hasColor: call.output.color,
    onTyped: news.push,
    onResize: () => news.push({ happened: 'resized' }),
  })
  try {
    const empty = newBoard(basename(projectOf(call.store)), call.now())
    let board: Board | undefined = withNews(
      withProjects(empty, options.hasProjects),
      await scene.watcher.all(options.hasProjects),
      call.now(),
    )
    while (board !== undefined) {
      board = scene.withDetail(board)
      screen.draw(painter.paint(layoutOf(board, scene.watcher.branches, screen.size()), screen.size()))
      board = await handled(scene, screen, board, await news.take())
    }
  } finally {
    screen.close()
    painter.close()
    clearInterval(ticking)
    stop.abort()
    await following
    await Promise.all(scene.doing)
    if (options.closesPanes) await scene.pane.close()
  }
}

/** What a dashboard works with, beside its screen. */
function sceneOf(desk: Desk) {
  const scribe = scribeOf(desk, desk.store)
  const news = newsQueue<News>()
  const others = otherSessions(ownIn(desk.store))
  const pane = paneBeside(desk)
  const doing = new Set<Promise<void>>()
  const elsewhere = sessionsElsewhere(desk.store, desk)
  const keeper = detailKeeper(desk.env, () => news.push({ happened: 'done', change: (board) => board }))
  return {
    ...{ desk, news, others, pane, doing, watcher: watcherOf(scribe, others, elsewhere.views) },
    deedOf: deedsOf(desk, pane, elsewhere.placed),
    withDetail: (board: Board): Board => {
      const view = chosenRow(board)?.view
      const isOwn = view !== undefined && !board.others.has(view.id)
      const placed = view === undefined || isOwn ? view && { store: desk.store, view } : elsewhere.placed(view.id)
      if (view === undefined || placed === undefined) return { ...board, detail: undefined }
      return { ...board, detail: keeper.of(view.id, placed, desk.now()) }
    },
  }
}

/** Tells of the feed's news, and of a feed that can no longer be read: thrown here it would end the process mid-screen. */
async function followed({ news, others }: Scene, bus: Desk['store'], signal: AbortSignal): Promise<void> {
  try {
    const following = followFeed(bus, others, { signal, onNamed: (named) => news.push({ happened: 'named', named }) })
    readBack(bus, others)
    await following
  } catch (error) {
    news.push({ happened: 'failed', error })
  }
}

/** The board after a batch of news; undefined when it is over. */
async function handled(
  scene: Scene,
  screen: Screen,
  before: Board,
  batch: readonly News[],
): Promise<Board | undefined> {
  let board: Board = before
  const { watcher, desk } = scene
  for (const one of batch) {
    if (!('happened' in one)) {
      const next = 'pasted' in one ? paste(board, one.pasted) : await pressed(scene, screen, board, one.key)
      if (next === undefined) return undefined
      board = next
    } else if (one.happened === 'failed') throw one.error
    else if (one.happened === 'done') board = one.change(board)
    else if (one.happened === 'named') board = withNews(board, await watcher.named(one.named), desk.now())
    else if (one.happened === 'ticked') {
      const shown = rowsShown(board, screen.size()).map(({ view }) => view)
      board = withNews(board, await watcher.ticked(shown, board.hasProjects), desk.now())
    }
  }
  return board
}

async function pressed(scene: Scene, screen: Screen, before: Board, key: string): Promise<Board | undefined> {
  const { board, act } = press(before, key, roomOn(before, screen.size()))
  if (act === undefined) return board
  if (act.is === 'quit') return undefined
  if (act.is === 'projects') {
    scene.news.push({ happened: 'ticked' })
    return board
  }
  if (act.is === 'suspend') {
    screen.suspend()
    return board
  }
  const { how, run } = scene.deedOf(act)
  if (how === 'opens') return (await run())(board)
  if (how === 'beside') {
    const doing = settledInto(scene.news, run())
    scene.doing.add(doing)
    void doing.then(() => scene.doing.delete(doing))
    return { ...board, message: '…' }
  }
  let change: Change = (same) => same
  await screen.lend(async () => {
    change = await run()
  })
  return change(board)
}

async function settledInto(news: Scene['news'], doing: Promise<Change>): Promise<void> {
  try {
    news.push({ happened: 'done', change: await doing })
  } catch (error) {
    news.push({ happened: 'failed', error })
  }
}
