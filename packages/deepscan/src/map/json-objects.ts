import { parseRecord } from '@switchyard/jsonl'

/** A JSON object that stands in a text, and where. */
export type FoundObject = { readonly value: Record<string, unknown>; readonly start: number; readonly end: number }

const triesMax = 2_000
const unitsMax = 32_000_000

/**
 * The outermost JSON objects in a text, first to last, whatever stands around them: prose, a fence, a marker. Braces in
 * strings end nothing. A text of braces alone costs no more than a bounded number of tries.
 */
export function jsonObjects(text: string): FoundObject[] {
  const found: FoundObject[] = []
  let units = 0
  let tries = 0
  for (let start = text.indexOf('{'); start !== -1 && tries < triesMax && units < unitsMax; tries++) {
    const end = endOfBraces(text, start)
    units += (end ?? text.length) - start
    const value = end === undefined ? undefined : parseRecord({ text: text.slice(start, end) })
    if (value !== undefined && end !== undefined) found.push({ value, start, end })
    start = text.indexOf('{', value === undefined ? start + 1 : end)
  }
  return found
}

/** The place behind the brace that closes the one at `start`; undefined when none does. */
function endOfBraces(text: string, start: number): number | undefined {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const unit = text[at]
    if (unit === '"') at = endOfString(text, at)
    else if (unit === '{') depth += 1
    else if (unit === '}') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return undefined
}

/** The place of the quotation mark that ends the string at `start`; the length when none does. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at
  }
  return text.length
}
