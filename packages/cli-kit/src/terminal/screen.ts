// The whole screen of a terminal: keys in, lines out, and everything as it was when it ends, however it ends.
import { keyDecoder, type Typed } from './keys.ts'
import { clipLine, type Line, paintLine } from './styled.ts'
import { openTerminalOut } from './terminal-out.ts'

export type Size = { readonly columns: number; readonly rows: number }
export type ScreenOptions = {
  readonly hasColor: boolean
  /** Called for each key or paste, one after the other. */
  readonly onTyped: (typed: Typed) => void
  /** Called when the screen has another size, or was lost and has to be drawn again. */
  readonly onResize: () => void
}
type Lines = readonly (Line | string)[]

export type Screen = {
  size(): Size
  /**
   * Shows these lines, of which only those that changed are written; a slow terminal gets the last ones only. A text is
   * a line that was painted already.
   */
  draw(lines: Lines): void
  /** Gives the terminal back until the shell continues this process (Ctrl-Z). */
  suspend(): void
  /** Gives the terminal to somebody else until that has ended; it is drawn again then. */
  lend(use: () => Promise<void>): Promise<void>
  /** Gives the terminal back. More than once is no harm. */
  close(): void
}

// The other screen, no cursor, no wrapping (a misjudged width must not scroll), pastes marked as such.
const enter = '\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[?2004h'
const leave = '\u001b[?2004l\u001b[?7h\u001b[?25h\u001b[?1049l'
// All changes of one drawing at once, where the terminal can.
const beginUpdate = '\u001b[?2026h'
const endUpdate = '\u001b[?2026l'
/** How long a lone Escape waits for the rest of a sequence. */
const escapeMs = 50

/** What ends the process by itself, once the terminal is given back. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/**
 * Takes the terminal that stdin and stdout are. It is given back by `close`, and by itself when the process ends by an
 * exception or a signal. A terminal that goes away ends the process as SIGHUP does, also where none is sent.
 */
export function openScreen({ hasColor, onTyped, onResize }: ScreenOptions): Screen {
  const { stdin, stdout } = process
  const keyboard = keyReader(onTyped)
  const drawing = drawingOn(stdout, hasColor)
  let isOpen = true
  let isLent = false

  const paint = (lines?: Lines) => {
    if (lines) drawing.offer(lines)
    if (isLent || !out.isFree()) return
    out.write(drawing.changes())
  }
  const takeOver = () => {
    stdin.setRawMode(true)
    drawing.forget()
    out.write(`${enter}\u001b[2J`)
  }
  const continued = () => again(takeOver, onResize)
  const giveUp = () => {
    isLent = true
    out.write(leave)
    stdin.off('data', keyboard.read).pause().setRawMode(false)
  }
  const takeBack = () => {
    isLent = false
    stdin.on('data', keyboard.read).resume()
    continued()
  }
  const close = () => {
    if (!isOpen) return
    isOpen = false
    keyboard.stop()
    stdout.off('resize', resized)
    stdin.off('data', keyboard.read).off('end', lost)
    process.off('exit', close).off('SIGCONT', continued)
    for (const signal of endings) process.off(signal, endBy)
    out.end(leave)
    stdin.setRawMode(false)
    stdin.pause()
  }
  const resized = () => again(drawing.forget, onResize)
  // Nobody listens any more: it ends the process as it would have.
  const endBy = (signal: NodeJS.Signals) => {
    if (!isOpen) return
    close()
    process.kill(process.pid, signal)
  }
  const lost = () => endBy('SIGHUP')
  const out = openTerminalOut({ onFree: () => paint(), onGone: lost })
  // The listener for errors stays: a terminal that is gone says so once more when it is given back.
  stdin.on('data', keyboard.read).on('end', lost).on('error', lost)
  stdout.on('resize', resized).on('error', lost)
  process.on('exit', close).on('SIGCONT', continued)
  for (const signal of endings) process.on(signal, endBy)
  takeOver()

  return {
    size: () => sizeOf(stdout),
    draw: paint,
    lend: (use) => whileAway(giveUp, use, takeBack),
    suspend: () => {
      out.write(leave)
      stdin.setRawMode(false)
      process.kill(process.pid, 'SIGTSTP')
    },
    close,
  }
}

function again(forget: () => void, draw: () => void): void {
  forget()
  draw()
}

async function whileAway(leaveIt: () => void, use: () => Promise<void>, comeBack: () => void): Promise<void> {
  leaveIt()
  try {
    await use()
  } finally {
    comeBack()
  }
}

/** The lines that are to be shown, beside those that are. */
function drawingOn(stdout: { columns: number; rows: number }, hasColor: boolean) {
  let shown: string[] = []
  let next: Lines | undefined
  return {
    offer: (lines: Lines) => {
      next = lines
    },
    /** What is shown is not known any more. */
    forget: () => {
      shown = []
    },
    /** What turns the lines that are shown into the last ones that were offered. */
    changes: () => {
      if (!next) return ''
      const { columns, rows } = sizeOf(stdout)
      const painted = next
        .slice(0, rows)
        .map((line) => (typeof line === 'string' ? line : paintLine(clipLine(line, columns), hasColor)))
      const text = changes(shown, painted, rows)
      next = undefined
      shown = painted
      return text === '' ? '' : `${beginUpdate}${text}${endUpdate}`
    },
  }
}

/** Tells what was typed; a lone Escape is one when nothing has followed it for a while. */
function keyReader(onTyped: (typed: Typed) => void): { read(chunk: Uint8Array): void; stop(): void } {
  const decoder = keyDecoder()
  let lone: NodeJS.Timeout | undefined
  const stop = () => clearTimeout(lone)
  return {
    read: (chunk) => {
      stop()
      for (const typed of decoder.decode(chunk)) onTyped(typed)
      if (decoder.isWaiting()) lone = setTimeout(() => decoder.rest().forEach(onTyped), escapeMs)
    },
    stop,
  }
}

/** What turns one screen into the next; a line is erased before it is written, in one go with it. */
export function changes(before: readonly string[], after: readonly string[], rows: number): string {
  let text = ''
  for (let row = 0; row < rows; row += 1) {
    const line = after[row] ?? ''
    if (line !== (before[row] ?? '')) text += `\u001b[${row + 1};1H\u001b[2K${line}`
  }
  return text
}

/** What the terminal says now; one that does not know is taken for the usual one. */
function sizeOf({ columns, rows }: { columns: number; rows: number }): Size {
  return columns > 0 && rows > 0 ? { columns, rows } : { columns: 80, rows: 24 }
}
