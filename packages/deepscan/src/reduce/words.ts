// The words of a title, so that paraphrases of it can be told from its opposite.

/** Words that say nothing about which defect is meant. */
const fillers = new Set(
  `a an the of in on at to for from by with and or is are was were be been being it its this that these those as into via
   can could may might will would should do does did has have had here there when where which whose than then`.split(
    /\s+/,
  ),
)

/** Words that turn what a title says into its opposite. */
const negations = new Set(
  'no not never none neither nor without cannot lack lacks lacking missing absent isnt arent wasnt doesnt dont didnt cant wont hasnt havent'.split(
    ' ',
  ),
)

/** What is said by one word with a negation before it: `unchecked` is `not checked`. */
const negated =
  /^(?:un(?=check|valid|sanit|escap|encrypt|auth|verif|saf|protect|bound|limit|trust|handl|us(?:ed|able)|reach|need)|in(?=secur|valid|correct|suffic|complet))(.{4,}|safe|used)$/

/** The words of a title without inflection and without its negations, and whether these make it a denial. */
export type Wording = { words: readonly string[]; isDenial: boolean }

/** Reads a title. An even number of negations is none. */
export function wordingOf(title: string): Wording {
  const words = new Set<string>()
  let isDenial = false
  const plain = title.toLowerCase().replace(/n['’]t\b/g, 'nt')
  for (const word of plain.match(/[\p{L}\p{N}_$]+/gu) ?? []) {
    if (negations.has(word)) isDenial = !isDenial
    else if (!fillers.has(word)) {
      const positive = negated.exec(word)?.[1]
      if (positive !== undefined) isDenial = !isDenial
      words.add(stemOf(positive ?? word))
    }
  }
  return { words: [...words].sort(), isDenial }
}

/** The word without the endings of English that change no meaning here; names with a digit or a `_` stay. */
function stemOf(word: string): string {
  if (word.length < 5 || /[\d_$]/.test(word)) return word
  const stem = word
    .replace(/(?:ations?|ions?|ings?|ed|ers?|es|s)$/, '')
    .replace(/(.)\1$/, '$1')
    .replace(/(?:e|at|y|ie)$/, '')
  return stem.length < 3 ? word : stem
}
