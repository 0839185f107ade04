// Doing what a key has asked for: by the verbs of scope itself, so that the dashboard can nothing that they cannot.
import type { Context, Input, Output } from '@switchyard/cli-kit'
import { isFailure } from '@switchyard/ground/failure'
import type { Store } from '@switchyard/topic'
import { findSession } from '../session/read-session.ts'
import { attachWords, closeBeside, openBeside } from '../tmux/beside.ts'
import { press, readScreen } from '../tmux/terminal.ts'
import type { Board } from './board.ts'
import { readLog } from './read-detail.ts'
import type { Act } from './step.ts'

type Caller = Pick<Context, 'perform' | 'interrupted' | 'env' | 'cwd' | 'input' | 'output' | 'now'>

/** Where a dashboard is: `besides` says whether terminals are shown beside it, and not in its place. */
export type Desk = Caller & { readonly store: Store; readonly besides: boolean }

/** Asks a verb of scope for something; the result is what it prints. */
async function ask(desk: Caller, ...argv: readonly string[]): Promise<string> {
  const said: string[] = []
  await desk.perform(argv, { input: noInput, output: keptIn(said), interrupted: desk.interrupted })
  return said.join(' ').trim()
}

/** The panes that were opened beside a dashboard: one at a time. */
export function paneBeside({ store, env, cwd }: Pick<Desk, 'store' | 'env' | 'cwd'>) {
  let pane: string | undefined
  const close = async () => {
    const open = pane
    pane = undefined
    if (open !== undefined) await closeBeside(open, { env, cwd })
  }
  return {
    close,
    open: async (id: string) => {
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

/** How acts are done that are more than another view. */
export function deedsOf(desk: Desk, pane: Pane) {
  const aside = (run: () => Promise<string>): Deed => ({ how: 'beside', run: () => told(run) })
  const borrowing = (...argv: readonly string[]): Deed => ({
    how: 'borrows',
    run: () => told(() => inTerminal(desk, argv)),
  })
  const attach = (id: string): Deed =>
    desk.besides ? aside(() => pane.open(id).then(() => '')) : borrowing('attach', id, '--here')
  const resume = (id: string, text: string) => ask(desk, 'resume', id, ...(text === '' ? [] : ['--', text]))
  return (act: Exclude<Act, { is: 'quit' | 'suspend' }>): Deed => {
    switch (act.is) {
      case 'attach':
        return attach(act.id)
      case 'new':
        return { how: 'beside', run: () => startNew(desk, pane, act.task) }
      case 'abort':
        return aside(() => ask(desk, 'abort', act.id))
      case 'send':
        return aside(() => ask(desk, 'send', act.id, '--', act.text))
      case 'resume':
        return aside(async () => {
          await resume(act.id, act.text)
          if (act.attaches && desk.besides) await pane.open(act.id)
          return `${act.id} goes on`
        })
      case 'rubric':
        return borrowing('rubric', act.id)
      case 'key':
        return aside(() => press(desk, act.id, act.key).then(() => `${act.id} was answered`))
      case 'dialog':
        return { how: 'opens', run: () => openDialog(desk, act.id) }
      case 'logs':
        return { how: 'opens', run: async () => openLog(desk, act.id) }
    }
  }
}

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
    if (hasTerminal && desk.besides) await pane.open(id)
    return `${id} was started${hasTerminal && !desk.besides ? '; Enter enters it' : ''}`
  })
  return (board) => ({ ...board, message, chosen: id ?? board.chosen })
}

/** What the agent of a session shows to whoever has to answer it. */
async function openDialog(desk: Desk, id: string): Promise<Change> {
  let screen: readonly string[] | undefined
  const message = await orWhy(async () => {
    screen = (await readScreen(desk, id, 0)).trimEnd().split('\n')
    return ''
  })
  return (board) => ({ ...board, message, ...(screen === undefined ? {} : { mode: { is: 'answer', id, screen } }) })
}

function openLog({ store, now }: Desk, id: string): Change {
  const lines = readLog(store, id, now())
  return (board) => ({ ...board, message: '', mode: { is: 'logs', id, lines, scroll: lines.length } })
}

async function inTerminal({ perform, input, output, interrupted }: Caller, argv: readonly string[]): Promise<string> {
  await perform(argv, { input, output, interrupted })
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
