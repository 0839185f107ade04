/** Bytes of which at least one stands in each line that a pattern matches. */
export type Needles = readonly Buffer[]

type Wanted = { ignoreCase: boolean; fixed: boolean }

const bytesMin = 2
const needlesMax = 16

/** The needles of a pattern, none where it is not sure that a line needs any. */
export function needlesOf(pattern: string, { ignoreCase, fixed }: Wanted): Needles | undefined {
  const texts = fixed ? [pattern] : textsOf(pattern)
  const needles = texts?.map((text) => (ignoreCase ? spellings(text) : [fromRarest(text)]))
  if (needles === undefined || needles.some((some) => some === undefined)) return undefined
  const all = needles.flatMap((some) => (some ?? []).map((text) => Buffer.from(text)))
  const isUseful = all.every((needle) => needle.length >= bytesMin || isRare(needle.toString()))
  return all.length > 0 && all.length <= needlesMax && isUseful ? all : undefined
}

/** The longest text of each alternative that it cannot do without. */
function textsOf(pattern: string): readonly string[] | undefined {
  if (/\(\?[^:P<]|\\Q/.test(pattern)) return undefined
  const alternatives = splitAtTop(pattern)
  const texts = alternatives?.map(longestText)
  return texts?.every((text) => text !== undefined) ? (texts as string[]) : undefined
}

/** Pieces of a pattern that are one thing: an escape, a set, a group with all in it, a repetition, a character. */
const piece =
  /\\(?:x\{[^}]*\}|x[0-9a-fA-F]{2}|[pP]\{[^}]*\}|[pP][\s\S]|[0-7]{1,3}|[\s\S])|\[\^?\]?(?:\[:[^\]]*:\]|\\[\s\S]|[^\]\\])*\]|\{\d+(?:,\d*)?\}|[\s\S]/gu

/** The alternatives of a pattern that are in no group, each in pieces, groups as one piece `(`. */
function splitAtTop(pattern: string): string[][] | undefined {
  const alternatives: string[][] = [[]]
  let depth = 0
  for (const [part] of pattern.matchAll(piece)) {
    if (part === '(') {
      if (depth === 0) alternatives.at(-1)?.push('(')
      depth += 1
    } else if (part === ')') depth -= 1
    else if (depth === 0 && part === '|') alternatives.push([])
    else if (depth === 0) alternatives.at(-1)?.push(part)
    if (depth < 0) return undefined
  }
  return depth === 0 ? alternatives : undefined
}

/** Characters of code and prose, the most frequent first. */
const frequent = ' etaoinsrlcdupmfhgbyv.,()\'"=-;:/0123456789STAEICRNOPLDMwkx_{}*'
const rankOf = (character: string) => (frequent.includes(character) ? frequent.indexOf(character) : frequent.length)
const isRare = (text: string) => [...text].some((character) => rankOf(character) >= frequent.indexOf('_'))

/** A search for bytes looks for the first of them, so it is quick where that one is rare. */
function fromRarest(text: string): string {
  const ranks = [...text].map(rankOf)
  const rarest = ranks.indexOf(Math.max(...ranks))
  return [...text].slice(rarest).join('')
}

/** Where a rare character is, all begins there, so length matters less. */
function weightOf(text: string): number {
  return text.length + (isRare(text) ? 100 : 0)
}

function longestText(pieces: readonly string[]): string | undefined {
  let run = ''
  let longest = ''
  for (const [at, part] of pieces.entries()) {
    const text = textOf(part)
    const isOptional = /^(?:[?*]|\{0)/.test(pieces[at + 1] ?? '')
    if (text === undefined || isOptional) run = ''
    else run += text
    if (weightOf(run) > weightOf(longest)) longest = run
    if (/^[+{]/.test(pieces[at + 1] ?? '')) run = ''
  }
  return longest === '' ? undefined : longest
}

/** The text that a piece stands for, where it stands for one. */
function textOf(part: string): string | undefined {
  if (/^\\[^a-zA-Z0-9]$/u.test(part)) return part.slice(1)
  return part.length > 2 || /^[\\^$.|()[\]{}*+?]/.test(part) ? undefined : part
}

/** Letters that have forms beyond ASCII: the Kelvin sign is a k, the long s an s. */
const isPlain = /^[\x20-\x7e]$/
const spelledMax = 3

/** All spellings in capitals and small letters of the piece of a text that has the fewest. */
function spellings(text: string): readonly string[] | undefined {
  const runs = text.split(/[kKsS]|[^\x20-\x7e]/).filter(({ length }) => length >= bytesMin)
  const best = runs.sort((a, b) => b.length - a.length)[0]
  if (best === undefined) return undefined
  return [...best.slice(0, spelledMax)].reduce<string[]>(
    (known, unit) => known.flatMap((begun) => casesOf(unit).map((form) => begun + form)),
    [''],
  )
}

function casesOf(unit: string): readonly string[] {
  return isPlain.test(unit) && /[a-z]/i.test(unit) ? [unit.toLowerCase(), unit.toUpperCase()] : [unit]
}
