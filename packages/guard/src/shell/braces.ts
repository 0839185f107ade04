// Brace expansion of a word's source text, as bash does it before anything else: `{a,b}c` is `ac bc`.

/** More than this and nobody knows. */
const wordsMax = 64

/** The words that a word's source expands to; undefined when they are too many. Quoted braces stay. */
export function expandBraces(source: string): readonly string[] | undefined {
  let words = [source]
  for (let round = 0; round < 16; round++) {
    const next = words.flatMap((word) => expandFirst(word) ?? [word])
    if (next.length === words.length && next.every((word, at) => word === words[at])) return next
    if (next.length > wordsMax) return undefined
    words = next
  }
  return undefined
}

/** The word with its first group expanded. */
function expandFirst(word: string): string[] | undefined {
  for (let open = nextBare(word, 0, '{'); open >= 0; open = nextBare(word, open + 1, '{')) {
    if (word[open - 1] === '$') continue
    const group = readGroup(word, open)
    if (group === undefined) continue
    const before = word.slice(0, open)
    return group.choices.map((choice) => `${before}${choice}${word.slice(group.end + 1)}`)
  }
  return undefined
}

function readGroup(word: string, open: number): { end: number; choices: string[] } | undefined {
  const choices: string[] = []
  let depth = 0
  let begin = open + 1
  for (let at = open; at >= 0 && at < word.length; at = nextBare(word, at + 1, '{},')) {
    const sign = word[at]
    if (sign === '{') depth++
    else if (sign === ',' && depth === 1) {
      choices.push(word.slice(begin, at))
      begin = at + 1
    } else if (sign === '}' && --depth === 0) {
      if (choices.length === 0) return undefined
      return { end: at, choices: [...choices, word.slice(begin, at)] }
    }
  }
  return undefined
}

/** Where one of `signs` stands outside of quotes, from `from` on. */
function nextBare(word: string, from: number, signs: string): number {
  let quote = ''
  for (let at = 0; at < word.length; at++) {
    const sign = word[at] ?? ''
    if (sign === '\\' && quote !== "'") at++
    else if (quote !== '') quote = sign === quote ? '' : quote
    else if (sign === "'" || sign === '"') quote = sign
    else if (at >= from && signs.includes(sign)) return at
  }
  return -1
}
