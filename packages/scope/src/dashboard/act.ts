// Doing what a key has asked for: by the verbs of scope itself, so that the dashboard can nothing that they cannot.
import type { Context, Input, Output } from '@switchyard/cli-kit'
import { isFailure } from '@switchyard/ground/failure'
import type { Store } from '@switchyard/topic'
import { findSession } from '../session/read-session.ts'
import { attachWords, closeBeside, openBeside } from '../tmux/beside.ts'
import { press, readScreen } from '../tmux/terminal.ts'
import type { Board } from './board.ts'
import { callIn, type Placed } from './projects.ts'
import { readLog } from './read-detail.ts'
import type { Act } from './step.ts'

type Caller = Pick<Context, 'perform' | 'interrupted' | 'env' | 'cwd' | 'input' | 'output' | 'now'>

/** Where a dashboard is: `besides` says whether terminals are shown beside it, and not in its place. */
export type Desk = Caller & { readonly store: Store; readonly besides: boolean }

/** Asks a verb of scope for something; the result is what it prints. */
async function ask(desk: Caller, ...argv: readonly string[]): Promise<string> {
  const said: string[] = []
  const { cwd, env, interrupted } = desk
  await desk.perform(argv, { input: noInput, output: keptIn(said), interrupted, cwd, env })
  return said.join(' ').trim()
}

/** The panes that were opened beside a dashboard: one at a time. */
export function paneBeside({ env, cwd }: Pick<Desk, 'env' | 'cwd'>) {
  let pane: string | undefined
  const close = async () => {
    const open = pane
    pane = undefined
    if (open !== undefined) await closeBeside(open, { env, cwd })
  }
  return {
    close,
    open: async (store: Store, id: string) => {
      await close()
      pane = await openBeside(attachWords(store, id, false), { env, cwd })
    },
  }
}

type Pane = ReturnType<typeof paneBeside>

type Change = (board: Board) => Board

/**
 * An act under way: what it makes of the board. It needs the terminal for itself where it `borrows`; where it `opens`
 * another view, keys that were typed meanwhile are meant for that view and wait for it.
 */
export type Deed = { readonly how: 'borrows' | 'opens' | 'beside'; readonly run: () => Promise<Change> }

/** How acts are done that are more than another view; `placed` has sessions that are elsewhere. */
export function deedsOf(desk: Desk, pane: Pane, placed: (id: string) => Placed | undefined) {
  const at = (shown: string): At => {
    const { store, view } = placed(shown) ?? {}
    if (store === undefined || view === undefined) return { desk, id: shown, shown }
    return { desk: { ...desk, ...callIn(store, desk.env), store }, id: view.id, shown }
  }
  const aside = (run: () => Promise<string>): Deed => ({ how: 'beside', run: () => told(run) })
  return (act: Exclude<Act, { is: 'quit' | 'suspend' | 'projects' }>): Deed => {
    if (act.is === 'new') return { how: 'beside', run: () => startNew(desk, pane, act.task) }
    const where = at(act.id)
    const { id, shown } = where
    switch (act.is) {
      case 'attach':
        return desk.besides ? aside(() => openPane(pane, where)) : borrowing(where, 'attach', id, '--here')
      case 'abort':
        return aside(() => ask(where.desk, 'abort', id))
      case 'pause':
        return aside(() => ask(where.desk, 'pause', id))
      case 'send':
        return aside(() => ask(where.desk, 'send', id, '--', act.text))
      case 'resume':
        return aside(async () => {
          await ask(where.desk, 'resume', id, ...(act.text === '' ? [] : ['--', act.text]))
          if (act.attaches && desk.besides) await openPane(pane, where)
          return `${shown} goes on`
        })
      case 'rubric':
        return borrowing(where, 'rubric', id)
      case 'key':
        return aside(() => press(where.desk, id, act.key).then(() => `${shown} was answered`))
      case 'dialog':
        return { how: 'opens', run: () => openDialog(where) }
      case 'logs':
        return { how: 'opens', run: async () => openLog(where) }
    }
  }
}

/** A session where it is, and the id that it is shown with. */
type At = { readonly desk: Desk; readonly id: string; readonly shown: string }

const openPane = (pane: Pane, { desk, id }: At): Promise<string> => pane.open(desk.store, id).then(() => '')

const borrowing = ({ desk }: At, ...argv: readonly string[]): Deed => ({
  how: 'borrows',
  run: () => told(() => inTerminal(desk, argv)),
})

/** What comes of it, or why nothing does, is told in a line. */
async function told(run: () => Promise<string>): Promise<Change> {
  const message = await orWhy(run)
  return (board) => ({ ...board, message })
}

async function orWhy(run: () => Promise<string>): Promise<string> {
  try {
    return await run()
  } catch (error) {
    if (!isFailure(error)) throw error
    return error.hint === undefined ? error.message : `${error.message}; ${error.hint}`
  }
}

/** A new session, whose row is chosen; its terminal is shown where that can be beside. */
async function startNew(desk: Desk, pane: Pane, task: string): Promise<Change> {
  let id: string | undefined
  const message = await orWhy(async () => {
    id = await ask(desk, 'spawn', '--', task)
    const hasTerminal = findSession(desk.store, id).created.backend === 'tmux'
    if (hasTerminal && desk.besides) await pane.open(desk.store, id)
    return `${id} was started${hasTerminal && !desk.besides ? '; Enter enters it' : ''}`
  })
  return (board) => ({ ...board, message, chosen: id ?? board.chosen })
}

/** What the agent of a session shows to whoever has to answer it. */
async function openDialog({ desk, id, shown }: At): Promise<Change> {
  let screen: readonly string[] | undefined
  const message = await orWhy(async () => {
    screen = (await readScreen(desk, id, 0)).trimEnd().split('\n')
    return ''
  })
  return (board) => ({
    ...board,
    message,
    ...(screen === undefined ? {} : { mode: { is: 'answer', id: shown, screen } }),
  })
}

function openLog({ desk: { store, now }, id, shown }: At): Change {
  const lines = readLog(store, id, now())
  return (board) => ({ ...board, message: '', mode: { is: 'logs', id: shown, lines, scroll: lines.length } })
}

async function inTerminal(
  { perform, input, output, interrupted, cwd, env }: Caller,
  argv: readonly string[],
): Promise<string> {
  await perform(argv, { input, output, interrupted, cwd, env })
  return ''
}

const keptIn = (said: string[]): Output => ({
  ...{ mode: 'text', isTerminal: false, color: false },
  one: (value, { text }) => void said.push(text(value)),
  list: (values, { text }) => void said.push(...values.map(text)),
  each: (value, { text }) => void said.push(text(value)),
  raw: (text) => void said.push(text.toString()),
  note: (text) => void said.push(text),
})

const noInput: Input = {
  isTerminal: false,
  readAll: () => Buffer.alloc(0),
  chunks: () => [],
  lines: () => [],
  lineBatches: () => [],
  async *linesAsync() {
    yield* []
  },
}
