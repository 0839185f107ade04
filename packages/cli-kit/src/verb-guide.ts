// How a tool with many verbs puts them before people.

/** What is known about verbs beside the verbs themselves; loaded only when it is to be said. */
export type VerbGuide = {
  /**
   * Headings, each with its verbs; those of two words by their first one. All verbs of the tool but those for programs,
   * each once: a test of the tool holds that.
   */
  readonly groups: Readonly<Record<string, readonly string[]>>
  /** Verbs that no person types: `help` does not list them, and has their page. */
  readonly forPrograms?: readonly string[]
  /** What the verbs of two words are about, by their first word. */
  readonly families: Readonly<Record<string, string>>
  /** Words that other tools of the kind, or earlier versions, have for a verb: `{ create: 'new' }`. One word or two. */
  readonly otherWords: Readonly<Record<string, string>>
  /** Flags that other tools of the kind have, by `--flag` or `verb --flag`, and what does the same here. */
  readonly otherFlags?: Readonly<Record<string, string>>
}

/** The second words of the verbs that begin with `first`. */
export function secondWords(verbs: Readonly<Record<string, unknown>>, first: string): string[] {
  const beginning = `${first} `
  return Object.keys(verbs).flatMap((name) => (name.startsWith(beginning) ? [name.slice(beginning.length)] : []))
}

/** What is wrong with a guide for these verbs, one sentence each; a tool's test expects none. */
export function guideFaults(guide: VerbGuide, verbs: readonly string[]): string[] {
  const { groups, forPrograms = [], families, otherWords } = guide
  const words = [...new Set(verbs.map((name) => name.replace(/ .*/, '')))]
  const grouped = [...Object.values(groups).flat(), ...forPrograms]
  const isTwice = (word: string, at: number) => grouped.indexOf(word) !== at
  return [
    ...words
      .filter((word) => !grouped.includes(word))
      .map((word) => `${word} is in no group: add it to one of src/verb-guide.ts`),
    ...grouped
      .filter((word) => !words.includes(word))
      .map((word) => `${word} is grouped in src/verb-guide.ts and no verb`),
    ...grouped.filter(isTwice).map((word) => `${word} is in two groups`),
    ...words
      .filter((word) => !verbs.includes(word) && families[word] === undefined)
      .map((word) => `nothing says what ${word} is about`),
    ...Object.entries(otherWords).flatMap(([word, verb]) => [
      ...(words.includes(word) || verbs.includes(word)
        ? [`${word} is a verb and no other word for one: take it out of otherWords in src/verb-guide.ts`]
        : []),
      ...(verbs.includes(verb.replace(/ [-A-Z].*/, '')) ? [] : [`${word} stands for ${verb}, which is no verb`]),
    ]),
  ]
}
