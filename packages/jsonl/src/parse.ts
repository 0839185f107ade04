import { isPlainObject } from '@switchyard/ground/plain-object'

// What a line says, if it says anything.

/** Levels of lists and objects that a record may have: what is deeper parses, but stops whoever writes it again. */
const nestingMax = 1_000
const quote = 0x22
const backslash = 0x5c

/** The JSON object that a line holds, or undefined when it is damaged, too deep, or something else. Never throws. */
export function parseRecord(line: { text: string }): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line.text)
    return isPlainObject(value) && !isTooDeep(line.text) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Whether a JSON text has more levels of lists and objects than a record may have, which are 1000. */
export function isTooDeep(text: string): boolean {
  if (text.length <= 2 * nestingMax) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfText(text, at)
    else if (code === 0x5b || code === 0x7b) depth += 1
    else if (code === 0x5d || code === 0x7d) depth -= 1
    if (depth > nestingMax) return true
  }
  return false
}

/** The place of the quotation mark that ends the one at `start`; the length when none does. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end
    while (text.charCodeAt(before - 1) === backslash) before -= 1
    if ((end - before) % 2 === 0) return end
  }
  return text.length
}
