/** The first `limit` of the values; asks for no more. */
export function take<T>(values: Iterable<T>, limit: number): T[] {
  const taken: T[] = []
  for (const value of values) {
    taken.push(value)
    if (taken.length >= limit) break
  }
  return taken
}
