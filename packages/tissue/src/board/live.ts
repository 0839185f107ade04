// The board on a terminal: keys and news of the log come in, one after the other; lines and acts go out.
import type { Context } from '@switchyard/cli-kit'
import type { Typed } from '@switchyard/cli-kit/terminal/keys'
import { newsQueue } from '@switchyard/cli-kit/terminal/news-queue'
import { openScreen, type Screen } from '@switchyard/cli-kit/terminal/screen'
import type { ExitCode } from '@switchyard/ground/failure'
import { Failure } from '@switchyard/ground/failure'
import { follow } from '@switchyard/jsonl'
import { look, type StoreScene, storeOf } from '../session/session.ts'
import { actOn } from './act.ts'
import { boardColumns } from './columns.ts'
import { type Board, newBoard, paste, press, refresh } from './model.ts'
import { renderBoard, roomOn } from './render.ts'

/** How often leases, which are told in minutes, are looked at again when nothing happens. */
const tickMs = 30_000

type News =
  | Typed
  | { readonly happened: 'resized' | 'written' | 'time passed' }
  | { readonly happened: 'failed'; readonly error: unknown }
type Watcher = StoreScene & Pick<Context, 'input'>

/** Shows the board until it is quit. Exits 2 where there is no terminal to show it on. */
export async function watchBoard(scene: Watcher): Promise<ExitCode | undefined> {
  refuseWithoutTerminal(scene)
  const news = newsQueue<News>()
  const stopFollowing = new AbortController()
  // Before the first look, so that nothing written after it is missed.
  const lines = follow(storeOf(scene).log, { signal: stopFollowing.signal })
  const following = tell(lines, news.push)
  const { columnsNow, notes } = lookerOf(scene)
  let board = newBoard(columnsNow(), scene.now())
  const ticking = setInterval(() => news.push({ happened: 'time passed' }), tickMs)
  let isQuit = false
  const screen = openScreen({
    hasColor: scene.output.color,
    onTyped: news.push,
    onResize: () => news.push({ happened: 'resized' }),
  })
  try {
    for (;;) {
      screen.draw(renderBoard(board, screen.size()))
      const next = await handle({ scene, screen, columnsNow }, board, await news.take())
      isQuit = next === undefined
      if (next === undefined) return undefined
      board = next
    }
  } finally {
    screen.close()
    // A terminal that is gone takes no word.
    if (isQuit) for (const note of notes()) scene.output.note(note)
    clearInterval(ticking)
    stopFollowing.abort()
    await following
  }
}

function refuseWithoutTerminal({ input, output, env }: Watcher): void {
  if (input.isTerminal && output.isTerminal && env['TERM'] !== 'dumb') return
  throw new Failure('usage', 'expected a terminal to show the board on, there is none', {
    hint: 'see tissue board --html, or tissue list',
  })
}

/** The board after a batch of news; undefined when it is over. */
async function handle(
  { scene, screen, columnsNow }: { scene: Watcher; screen: Screen; columnsNow: Looker['columnsNow'] },
  before: Board,
  batch: readonly News[],
): Promise<Board | undefined> {
  let board = before
  let isStale = false
  for (const news of batch) {
    if ('happened' in news) {
      if (news.happened === 'failed') throw news.error
      isStale ||= news.happened !== 'resized'
    } else if ('pasted' in news) board = paste(board, news.pasted)
    else {
      const step = press(board, news.key, roomOn(board, screen.size()))
      const { act } = step
      board = step.board
      if (act?.is === 'quit') return undefined
      if (act?.is === 'suspend') screen.suspend()
      else if (act) {
        const message = await actOn(scene, act)
        // The next key is pressed on what this one made of the board.
        board = { ...refresh(board, columnsNow(), scene.now()), message }
      }
    }
  }
  return isStale ? refresh(board, columnsNow(), scene.now()) : board
}

type Looker = {
  readonly columnsNow: () => ReturnType<typeof boardColumns>
  /** What the last look left out. */
  readonly notes: () => readonly string[]
}

/** Looks at the store; its notes would be written across the board, and are kept for later. */
function lookerOf(scene: StoreScene): Looker {
  let notes: string[] = []
  const silent = { ...scene, output: { ...scene.output, note: (text: string) => void notes.push(text) } }
  return {
    columnsNow: () => {
      notes = []
      return boardColumns(look(silent).ledger, scene.now())
    },
    notes: () => notes,
  }
}

/** Tells of each line, and of a log that can no longer be read: thrown here it would end the process mid-screen. */
async function tell(lines: AsyncIterable<unknown>, push: (news: News) => void): Promise<void> {
  try {
    for await (const _ of lines) push({ happened: 'written' })
  } catch (error) {
    push({ happened: 'failed', error })
  }
}
