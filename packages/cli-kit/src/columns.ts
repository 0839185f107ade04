// Columns of text at a terminal, where some characters take two places and some none.

/** Scripts and signs that are as wide as two letters. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1b000}-\u{1b2fb}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u
const unseen = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u
const plain = /^[\u0020-\u007e]*$/

let graphemes: Intl.Segmenter | undefined

/** How many places of a terminal a text takes: one, two or none for each character as a reader sees it. */
export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += wide.test(segment) ? 2 : unseen.test(segment) ? 0 : 1
  return width
}

/** A text with spaces behind it, up to so many places. */
export function padColumn(text: string, width: number): string {
  return text + gapBehind(text, width)
}

/** The spaces that fill a text up to so many places, for where the text itself is painted. */
export function gapBehind(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - displayWidth(text)))
}

/** Places of the widest text: how wide its column is. */
export function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(displayWidth))
}
