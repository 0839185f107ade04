// Is this text a JSON object that was only cut off? Then a killed writer explains it, and nothing is corrupt.

// More than a line is ever pieced together from; keeps hostile lines cheap.
const fragmentsMax = 1_000
const literals = ['true', 'false', 'null']
const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const numberCutPattern = /-?(?:(?:0|[1-9]\d*)(?:\.\d*|(?:\.\d+)?[eE][+-]?\d*)?)?$/y

/**
 * Whether a text is what kills leave behind: the beginnings of one or more JSON objects, one after the other (a line that was appended
 * to a torn one before its writer looked and appended it again). Any of them may be whole.
 */
export function isCutLine(text: string): boolean {
  const tried = new Set<number>()
  const starts = [0]
  for (let start = starts.pop(); start !== undefined; start = starts.pop()) {
    if (tried.has(start)) continue
    tried.add(start)
    if (tried.size > fragmentsMax) return false
    const reached = reachOf(text, start)
    if (reached === text.length) return true
    starts.push(...bracesBetween(text, start + 1, reached))
  }
  return false
}

/** Where the next fragment may begin: no later than where this one stops making sense, and most likely just there (so it comes last). */
function bracesBetween(text: string, from: number, to: number): number[] {
  const found: number[] = []
  for (
    let at = text.lastIndexOf('{', to);
    at >= from && found.length < fragmentsMax;
    at = text.lastIndexOf('{', at - 1)
  ) {
    found.unshift(at)
  }
  return found
}

/** How far a text goes on being a JSON object or the beginning of one: its length, or the index of the first character that does not fit. */
function reachOf(text: string, start: number): number {
  const open: ('{' | '[')[] = []
  let expected: 'object' | 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma' | 'end' = 'object'
  for (let at = skipBlanks(text, start); at < text.length; at = skipBlanks(text, at)) {
    const char = text[at]
    const inside = open.at(-1)
    if (expected === 'end') return at
    if (expected === 'colon' || (expected === 'comma' && char === ',')) {
      if (expected === 'colon' && char !== ':') return at
      expected = expected === 'comma' && inside === '{' ? 'key' : 'value'
      at += 1
    } else if (char === (inside === '{' ? '}' : ']') && (expected === 'comma' || expected.startsWith('first'))) {
      open.pop()
      expected = open.length === 0 ? 'end' : 'comma'
      at += 1
    } else if (expected === 'comma') {
      return at
    } else if (expected === 'key' || expected === 'first key') {
      const next = endOfString(text, at)
      if (next < 0) return -next - 1
      at = next
      expected = 'colon'
    } else if (char === '{' || (char === '[' && expected !== 'object')) {
      open.push(char)
      expected = char === '{' ? 'first key' : 'first value'
      at += 1
    } else {
      const next = expected === 'object' ? -at - 1 : endOfScalar(text, at)
      if (next < 0) return -next - 1
      at = next
      expected = 'comma'
    }
  }
  return text.length
}

/** Index after a string, number or literal, its cut-off beginning at the end of the text included; -(index of what does not fit) - 1. */
function endOfScalar(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start)
  const rest = text.slice(start, start + 5)
  const literal = literals.find((word) => rest.startsWith(word) || (rest.length < word.length && word.startsWith(rest)))
  if (literal !== undefined) return Math.min(text.length, start + literal.length)
  numberCutPattern.lastIndex = start
  if (numberCutPattern.test(text)) return text.length
  numberPattern.lastIndex = start
  return numberPattern.test(text) ? numberPattern.lastIndex : -start - 1
}

function endOfString(text: string, start: number): number {
  if (text[start] !== '"') return -start - 1
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at + 1
    if (code < 0x20) return -at - 1
    if (code !== 0x5c) continue
    const escaped = text.slice(at + 1, at + 6)
    if (!/^(?:["\\/bfnrt]|u[0-9a-fA-F]{4}|$|u[0-9a-fA-F]{0,3}$)/.test(escaped)) return -at - 1
    at += escaped.startsWith('u') ? 5 : 1
  }
  return text.length
}

function skipBlanks(text: string, start: number): number {
  let at = start
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1
  return at
}
