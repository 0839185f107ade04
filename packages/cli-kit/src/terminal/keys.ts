// What was typed, out of the bytes that a terminal sends for it.
import { StringDecoder } from 'node:string_decoder'

/** A key by its name (`up`, `enter`, `ctrl-c`) or the character it types; or text that was pasted. */
export type Typed = { readonly key: string } | { readonly pasted: string }

const named = new Map(
  Object.entries({
    '\r': 'enter',
    '\n': 'enter',
    '\t': 'tab',
    '\u007f': 'backspace',
    '\b': 'backspace',
    '\u001b': 'escape',
  }),
)
const sequences = new Map(
  Object.entries({
    A: 'up',
    B: 'down',
    C: 'right',
    D: 'left',
    H: 'home',
    F: 'end',
    Z: 'shift-tab',
    '1~': 'home',
    '3~': 'delete',
    '4~': 'end',
    '5~': 'page-up',
    '6~': 'page-down',
    '7~': 'home',
    '8~': 'end',
  }),
)
const pasteBegin = '\u001b[200~'
const pasteEnd = '\u001b[201~'

// A whole sequence: CSI with its parameters, SS3, or Alt with a character.
const whole = /^\u001b(?:\[[0-?]*[ -/]*[@-~]|O[ -~]|[^[O\u001b])/u
// The most that a sequence or a paste may hold before it counts as what it is not.
const sequenceCharsMax = 64
const pasteCharsMax = 1_000_000

/**
 * Decodes chunk by chunk: what one cut in two comes with the next. `rest` is what waits for more: a lone Escape is
 * told from the beginning of a sequence only by nothing following it.
 */
export function keyDecoder(): { decode(chunk: Uint8Array): Typed[]; isWaiting(): boolean; rest(): Typed[] } {
  const utf8 = new StringDecoder('utf8')
  let pending = ''
  const take = (isComplete: boolean) => {
    const typed: Typed[] = []
    while (pending !== '') {
      const next = nextOf(pending, isComplete)
      if (next === undefined) break
      pending = pending.slice(next.length)
      if (next.typed) typed.push(next.typed)
    }
    return typed
  }
  return {
    decode: (chunk) => {
      pending += utf8.write(Buffer.from(chunk))
      return take(false)
    },
    isWaiting: () => pending !== '' && !pending.startsWith(pasteBegin),
    rest: () => take(true),
  }
}

type Next = { length: number; typed: Typed | undefined }

/** What stands first; undefined when more has to come before that can be said. */
function nextOf(text: string, isComplete: boolean): Next | undefined {
  if (text.startsWith(pasteBegin)) return pasteOf(text)
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0)
  if (first !== '\u001b') return { length: first.length, typed: { key: nameOf(first) } }
  const sequence = whole.exec(text)?.[0]
  if (sequence !== undefined) return { length: sequence.length, typed: keyOf(sequence) }
  const mayGrow = text.length < sequenceCharsMax && !text.startsWith('\u001b\u001b')
  return mayGrow && !isComplete ? undefined : { length: 1, typed: { key: 'escape' } }
}

function pasteOf(text: string): Next | undefined {
  const end = text.indexOf(pasteEnd)
  if (end >= 0) return { length: end + pasteEnd.length, typed: { pasted: text.slice(pasteBegin.length, end) } }
  return text.length > pasteCharsMax ? { length: text.length, typed: undefined } : undefined
}

/** A sequence that is not known types nothing. */
function keyOf(sequence: string): Typed | undefined {
  const behind = sequence.slice(2)
  // Parameters say which modifiers were held: an arrow with Shift is an arrow here.
  const name =
    sequences.get(behind) ?? (/^\d*(?:;\d+)*[A-Z]$/.test(behind) ? sequences.get(behind.slice(-1)) : undefined)
  if (name !== undefined) return { key: name }
  return /^\u001b[^[O]$/u.test(sequence) ? { key: `alt-${nameOf(sequence.slice(1))}` } : undefined
}

function nameOf(character: string): string {
  const name = named.get(character)
  if (name !== undefined) return name
  const code = character.codePointAt(0) ?? 0
  return code < 0x20 ? `ctrl-${String.fromCharCode(code + 0x60)}` : character
}
