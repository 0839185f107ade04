/** The priorities from one to another that a text such as `2` or `1-3` means; undefined for other text. */
export function parsePriorities(text: string): { from: number; to: number } | undefined {
  const [, first, last = first] = /^([1-5])(?:-([1-5]))?$/.exec(text) ?? []
  return first === undefined ? undefined : { from: Number(first), to: Number(last) }
}
