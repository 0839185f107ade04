/** The candidate that was probably meant by `word`: one that it begins, or one at most a third of its letters away. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const begun = word.length > 1 ? candidates.find((candidate) => candidate.startsWith(word)) : undefined
  if (begun !== undefined) return begun
  let best: string | undefined
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1
  for (const candidate of candidates) {
    const distance = editDistance(word, candidate)
    if (distance < bestDistance && distance < candidate.length) [best, bestDistance] = [candidate, distance]
  }
  return best
}

function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const letter of from) {
    const above = row
    row = [(above[0] ?? 0) + 1]
    for (let column = 0; column < to.length; column++) {
      const swap = (above[column] ?? 0) + (letter === to[column] ? 0 : 1)
      row.push(Math.min(swap, (above[column + 1] ?? 0) + 1, (row[column] ?? 0) + 1))
    }
  }
  return row[to.length] ?? 0
}
