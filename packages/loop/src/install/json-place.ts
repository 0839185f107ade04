// Where things lie in a JSON text, so that it can be changed in one place and kept as it is everywhere else. The text
// has been parsed before: what is scanned here is well formed.

/** A value in a container: `start` is where it, or its key, begins; `end` is behind it. */
export type Item = {
  readonly key: string | undefined
  readonly start: number
  readonly value: number
  readonly end: number
}

/** An object or a list: from its opening bracket to behind its closing one. */
export type Container = { readonly start: number; readonly end: number; readonly items: readonly Item[] }

/** The container that begins at `start`, behind any white space. */
export function containerAt(text: string, start = 0): Container {
  const open = skipSpace(text, start)
  const isObject = text[open] === '{'
  const items: Item[] = []
  let at = skipSpace(text, open + 1)
  while (text[at] !== '}' && text[at] !== ']') {
    const item = isObject ? memberAt(text, at) : { key: undefined, start: at, value: at, end: endOfValue(text, at) }
    items.push(item)
    const next = skipSpace(text, item.end)
    at = text[next] === ',' ? skipSpace(text, next + 1) : next
  }
  return { start: open, end: at + 1, items }
}

/** The value of the last member of that name, which is the one that counts. */
export function memberOf({ items }: Container, key: string): Item | undefined {
  return items.findLast((item) => item.key === key)
}

function memberAt(text: string, start: number): Item {
  const keyEnd = endOfString(text, start)
  const value = skipSpace(text, skipSpace(text, keyEnd) + 1)
  return { key: String(JSON.parse(text.slice(start, keyEnd))), start, value, end: endOfValue(text, value) }
}

function endOfValue(text: string, start: number): number {
  let depth = 0
  let at = start
  do {
    const character = text[at]
    if (character === '"') {
      at = endOfString(text, at)
      continue
    }
    if (character === '{' || character === '[') depth += 1
    if (character === '}' || character === ']') depth -= 1
    at += 1
  } while (at < text.length && (depth > 0 || !isBehindValue(text, at)))
  return at
}

/** At depth 0, a value is over where it closed a bracket or a quote, or where a word or a number ends. */
function isBehindValue(text: string, at: number): boolean {
  return /["\]}]/.test(text[at - 1] ?? '') || /[\s,\]}]/.test(text[at] ?? ' ')
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function skipSpace(text: string, start: number): number {
  let at = start
  while (/\s/.test(text[at] ?? '')) at += 1
  return at
}
