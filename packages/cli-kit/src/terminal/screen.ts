// The whole screen of a terminal: keys in, lines out, and everything as it was when it ends, however it ends.
import { writeAll } from '../stdio.ts'
import { keyDecoder, type Typed } from './keys.ts'
import { clipLine, type Line, paintLine } from './styled.ts'

export type Size = { readonly columns: number; readonly rows: number }
export type ScreenOptions = {
  readonly hasColor: boolean
  /** Called for each key or paste, one after the other. */
  readonly onTyped: (typed: Typed) => void
  /** Called when the screen has another size, or was lost and has to be drawn again. */
  readonly onResize: () => void
  /** Called when the keyboard has gone: nothing will be typed any more. */
  readonly onEnd: () => void
}
export type Screen = {
  size(): Size
  /** Shows these lines, of which only those that changed are written. */
  draw(lines: readonly Line[]): void
  /** Gives the terminal back until the shell continues this process (Ctrl-Z). */
  suspend(): void
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

/**
 * Takes the terminal that stdin and stdout are. It is given back by `close`, and by itself when the process ends by an
 * exception or a hang-up; for SIGINT and SIGTERM whoever called closes on `Context.interrupted`.
 */
export function openScreen({ hasColor, onTyped, onResize, onEnd }: ScreenOptions): Screen {
  const { stdin, stdout } = process
  const decoder = keyDecoder()
  let shown: string[] = []
  let lone: NodeJS.Timeout | undefined
  let isOpen = true

  const takeOver = () => {
    stdin.setRawMode(true)
    shown = []
    writeAll(1, `${enter}\u001b[2J`)
  }
  const giveBack = () => {
    stdin.setRawMode(false)
    writeAll(1, leave)
  }
  const close = () => {
    if (!isOpen) return
    isOpen = false
    clearTimeout(lone)
    stdout.off('resize', resized)
    stdin.off('data', read).off('end', onEnd).off('error', onEnd)
    process.off('exit', close).off('SIGCONT', continued).off('SIGHUP', hungUp)
    giveBack()
    stdin.pause()
  }
  const resized = () => {
    shown = []
    onResize()
  }
  const continued = () => {
    takeOver()
    onResize()
  }
  const hungUp = () => {
    close()
    // Nobody listens any more: it ends the process as it would have.
    process.kill(process.pid, 'SIGHUP')
  }
  const read = (chunk: Uint8Array) => {
    clearTimeout(lone)
    for (const typed of decoder.decode(chunk)) onTyped(typed)
    if (decoder.isWaiting()) lone = setTimeout(() => decoder.rest().forEach(onTyped), escapeMs)
  }
  stdin.on('data', read).on('end', onEnd).on('error', onEnd)
  stdout.on('resize', resized)
  process.on('exit', close).on('SIGCONT', continued).on('SIGHUP', hungUp)
  takeOver()

  return {
    size: () => sizeOf(stdout),
    draw: (lines) => {
      const { columns, rows } = sizeOf(stdout)
      const painted = lines.slice(0, rows).map((line) => paintLine(clipLine(line, columns), hasColor))
      const text = changes(shown, painted, rows)
      shown = painted
      if (text !== '') writeAll(1, `${beginUpdate}${text}${endUpdate}`)
    },
    suspend: () => {
      giveBack()
      process.kill(process.pid, 'SIGTSTP')
    },
    close,
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
