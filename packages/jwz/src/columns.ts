/** Characters of the longest text: how wide its column is. */
export function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.length))
}
