import { isFailure } from '@switchyard/ground/failure'
import type { Output, OutputMode, Shown } from './context.ts'
import { active, harmlessText } from './harmless-text.ts'
import { inRow } from './in-row.ts'
import { isTerminal, ReaderGone, writeAll } from './stdio.ts'

/** A piece in one of the colours and weights that our own rendering uses: what is left open would run on behind it. */
const painted = [
  /\u001b\[(?:[1-4]|3[1-7]|9[0-7])m[^\u001b\n]*\u001b\[0m/,
  /\u001b\[[12]m[^\u001b\n]*\u001b\[22m/,
  /\u001b\[(?:3[1-7]|9[0-7])m[^\u001b\n]*\u001b\[39m/,
]
const activeOrPainted = new RegExp([...painted, active].map(({ source }) => source).join('|'), 'g')
const piece = /^(\u001b\[\d+m)([^\u001b]*)(\u001b\[\d+m)$/

/** Where bytes go: the process passes its descriptors, a test its own collector. */
export type Sink = { readonly isTerminal: boolean; write(text: string | Uint8Array): void }

/** A descriptor as a sink; whether it is a terminal is asked only when it matters. */
export function openSink(fd: number): Sink {
  return {
    get isTerminal() {
      return isTerminal(fd)
    },
    write: (text) => writeAll(fd, text),
  }
}

/** The output of a verb in one mode. `color` needs a terminal and neither `NO_COLOR` nor `TERM=dumb`. */
export function openOutput(
  mode: OutputMode,
  env: Readonly<Record<string, string | undefined>>,
  out: Sink,
  err: Sink,
): Output {
  const isPlain = Boolean(env.NO_COLOR) || env.TERM === 'dumb'
  const print = (text: string) => out.write(harmless(text, out, !isPlain))
  const lineOf = <T>(value: T, shown: Shown<T>) => {
    if (mode === 'text') return ended(shown.text(value))
    return mode === 'quiet' ? ended([shown.id(value)].flat().map(inRow).join('\n')) : json(value, out)
  }
  return {
    mode,
    get isTerminal() {
      return out.isTerminal
    },
    get columns() {
      return process.stdout.columns
    },
    get color() {
      return !isPlain && out.isTerminal
    },
    one: (value, shown) => print(lineOf(value, shown)),
    each: (value, shown) => print(lineOf(value, shown)),
    list: (values, shown) => {
      if (mode === 'json') return print(json(values, out))
      if (values.length > 0) return print(values.map((value) => lineOf(value, shown)).join(''))
      if (mode === 'text' && shown.empty !== undefined) say(shown.empty, err)
    },
    raw: (text) => out.write(text),
    note: (text) => {
      if (mode !== 'quiet') say(onOneLine(text), err)
    },
  }
}

/** What names and reasons are made of cannot begin a line, which would pass for one of our own. */
export function onOneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ')
}

/** A line for people. Where it cannot be written there is nobody left to be told, which is no reason to stop. */
export function say(text: string, err: Sink): void {
  try {
    err.write(harmless(ended(text), err, false))
  } catch (error) {
    if (!(error instanceof ReaderGone || isFailure(error))) throw error
  }
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

/** JSON keeps its value on a terminal: what would act there is written as an escape. */
function json(value: unknown, out: Sink): string {
  const text = JSON.stringify(value)
  if (text.search(active) < 0 || !out.isTerminal) return `${text}\n`
  return `${text.replace(active, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`
}

function harmless(text: string, sink: Sink, keepsPaint: boolean): string {
  if (text.search(active) < 0 || !sink.isTerminal) return text
  if (!keepsPaint) return harmlessText(text)
  return text.replace(activeOrPainted, (found) => {
    const [, begin, inner, end] = piece.exec(found) ?? []
    return inner === undefined ? '' : `${begin}${harmlessText(inner)}${end}`
  })
}
