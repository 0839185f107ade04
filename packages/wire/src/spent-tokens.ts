// What a session has spent, as far as its transcript tells: Claude Code writes the usage of each answer beside it.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { systemCode } from '@switchyard/ground/failure'
import { parseJson } from '@switchyard/ground/parse-json'

const bytesMax = 64 * 1024 * 1024
const blockBytes = 1024 * 1024

/** Where a transcript was read to; or, where it was not read yet, the time since which it counts. */
export type Since = { readonly from: number | undefined; readonly startedAt: number }

/** What answers cost: `input_tokens` is all that was read, of which `cached_tokens` came from a cache. */
type Usage = { readonly input_tokens: number; readonly output_tokens: number; readonly cached_tokens: number }

/** `tokens`: what was read anew, and written. `usage` is null where the transcript tells of no answer. */
export type Spent = { readonly tokens: number; readonly usage: Usage | null; readonly to: number }

/** What was spent since then, and where the next look begins. An answer of several lines counts once. */
export function spentSince(path: string | undefined, { from, startedAt }: Since): Spent {
  const nothing = { tokens: 0, usage: null, to: from ?? 0 }
  const opened = path === undefined ? undefined : openIfThere(path)
  if (opened === undefined) return nothing
  try {
    const { size } = fstatSync(opened)
    if (from === undefined) return tally(opened, Math.max(0, size - bytesMax), size, startedAt)
    return size < from ? { ...nothing, to: size } : tally(opened, from, Math.min(size, from + bytesMax), 0)
  } finally {
    closeSync(opened)
  }
}

type Counted = Usage & { readonly tokens: number }

function tally(descriptor: number, from: number, end: number, since: number): Spent {
  const spent = new Map<string, Counted>()
  const buffer = Buffer.allocUnsafe(blockBytes)
  let rest = Buffer.alloc(0)
  let to = from
  for (let at = from; at < end; ) {
    const length = readSync(descriptor, buffer, 0, Math.min(blockBytes, end - at), at)
    if (length === 0) break
    at += length
    const text = Buffer.concat([rest, buffer.subarray(0, length)])
    const last = text.lastIndexOf(10) + 1
    for (const line of text.subarray(0, last).toString('utf8').split('\n')) note(spent, line, since)
    to += last
    rest = Buffer.from(text.subarray(last))
  }
  const all = [...spent.values()]
  const sum = (name: keyof Counted) => all.reduce((total, one) => total + one[name], 0)
  const usage = {
    input_tokens: sum('input_tokens'),
    output_tokens: sum('output_tokens'),
    cached_tokens: sum('cached_tokens'),
  }
  return { tokens: sum('tokens'), usage: all.length === 0 ? null : usage, to }
}

function note(spent: Map<string, Counted>, line: string, since: number): void {
  if (!line.includes('"usage"')) return
  const entry = parseJson(line)
  if (since > 0 && !(Date.parse(String(fieldOf(entry, 'timestamp'))) >= since)) return
  const message = fieldOf(entry, 'message')
  const id = fieldOf(message, 'id')
  const usage = fieldOf(message, 'usage')
  if (typeof id !== 'string' || usage === undefined) return
  const [fresh, output_tokens] = [numberOf(usage, 'input_tokens'), numberOf(usage, 'output_tokens')]
  const cached_tokens = numberOf(usage, 'cache_read_input_tokens')
  const input_tokens = fresh + numberOf(usage, 'cache_creation_input_tokens') + cached_tokens
  spent.set(id, { tokens: fresh + output_tokens, input_tokens, output_tokens, cached_tokens })
}

function numberOf(value: unknown, name: string): number {
  const found = fieldOf(value, name)
  return typeof found === 'number' && Number.isSafeInteger(found) && found > 0 ? found : 0
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return undefined
  }
}
