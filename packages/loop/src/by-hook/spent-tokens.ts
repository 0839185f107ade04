// What a session has spent, as far as its transcript tells: Claude Code writes the usage of each answer beside it.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { systemCode } from '@switchyard/ground/failure'
import { parseJson } from '@switchyard/ground/parse-json'

const bytesMax = 64 * 1024 * 1024
const blockBytes = 1024 * 1024

/** Where a transcript was read to; or, where it was not read yet, the time since which it counts. */
export type Since = { readonly from: number | undefined; readonly startedAt: number }

/** Tokens since then, and where the next look begins. An answer of several lines counts once. */
export function spentSince(path: string | undefined, { from, startedAt }: Since): { tokens: number; to: number } {
  const nothing = { tokens: 0, to: from ?? 0 }
  const opened = path === undefined ? undefined : openIfThere(path)
  if (opened === undefined) return nothing
  try {
    const { size } = fstatSync(opened)
    if (from === undefined) return tally(opened, Math.max(0, size - bytesMax), size, startedAt)
    return size < from ? { tokens: 0, to: size } : tally(opened, from, Math.min(size, from + bytesMax), 0)
  } finally {
    closeSync(opened)
  }
}

function tally(descriptor: number, from: number, end: number, since: number): { tokens: number; to: number } {
  const spent = new Map<string, number>()
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
  return { tokens: [...spent.values()].reduce((sum, tokens) => sum + tokens, 0), to }
}

function note(spent: Map<string, number>, line: string, since: number): void {
  if (!line.includes('"usage"')) return
  const entry = parseJson(line)
  if (since > 0 && !(Date.parse(String(fieldOf(entry, 'timestamp'))) >= since)) return
  const message = fieldOf(entry, 'message')
  const id = fieldOf(message, 'id')
  const usage = fieldOf(message, 'usage')
  if (typeof id !== 'string' || usage === undefined) return
  spent.set(id, numberOf(usage, 'input_tokens') + numberOf(usage, 'output_tokens'))
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
