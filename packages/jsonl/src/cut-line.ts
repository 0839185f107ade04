// Is this text a JSON object that was only cut off? Then a killed writer explains it, and nothing is corrupt.

// More than a line is ever pieced together from; keeps hostile lines cheap.
const fragmentsMax = 1_000
const literals = ['true', 'false', 'null']
const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const numberStartPattern = /-?(?:(?:0|[1-9]\d*)(?:\.(?:\d+(?:[eE][+-]?\d*)?)?|[eE][+-]?\d*)?)?/y
const escapePattern = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{0,4})?/y

/**
 * Whether a text is what kills leave behind: the beginnings of one or more JSON objects, one after the other (a
 * line that was appended to a torn one before its writer looked and appended it again). Any of them may be whole.
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

/**
 * Where the next fragment may begin: no later than where this one stops making sense, and most likely just there
 * (so it comes last).
 */
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

/**
 * How far a text goes on being a JSON object or the beginning of one: its length, or the index of the first
 * character that does not fit.
 */
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

/**
 * Index after a string, number or literal, or the text's length when it ends within one; for what does not fit,
 * -(index of the first character that does not) - 1.
 */
function endOfScalar(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start)
  const literal = literals.find((word) => word[0] === text[start])
  if (literal !== undefined) return endOfLiteral(text, start, literal)
  const reached = endOfMatch(numberStartPattern, text, start)
  const isFitting = reached === text.length || endOfMatch(numberPattern, text, start) === reached
  return isFitting && reached > start ? reached : -reached - 1
}

function endOfLiteral(text: string, start: number, literal: string): number {
  let length = 0
  while (length < literal.length && text[start + length] === literal[length]) length += 1
  const end = start + length
  return length === literal.length || end === text.length ? end : -end - 1
}

function endOfString(text: string, start: number): number {
  if (text[start] !== '"') return -start - 1
  for (let at = start + 1; at < text.length; ) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at + 1
    if (code < 0x20) return -at - 1
    if (code !== 0x5c) {
      at += 1
      continue
    }
    const end = endOfMatch(escapePattern, text, at)
    const isWhole = text[at + 1] === 'u' ? end === at + 6 : end === at + 2
    if (!isWhole) return end === text.length ? end : -end - 1
    at = end
  }
  return text.length
}

/** Where a sticky pattern's match ends, or `start` when there is none. */
function endOfMatch(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex : start
}

function skipBlanks(text: string, start: number): number {
  let at = start
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1
  return at
}
