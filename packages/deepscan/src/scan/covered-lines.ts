type Lines = { from: number; to: number }

/** Whether a line lies in one of some ranges of lines. */
export type IsCovered = (line: number) => boolean

/** Joins ranges that touch, so that a line is looked up and not compared with each of them. */
export function joinLines(ranges: readonly Lines[]): IsCovered {
  const joined: Lines[] = []
  for (const { from, to } of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last !== undefined && from <= last.to + 1) last.to = Math.max(last.to, to)
    else joined.push({ from, to })
  }
  return (line) => {
    let [low, high] = [0, joined.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((joined[middle]?.from ?? 0) <= line) low = middle + 1
      else high = middle
    }
    return line <= (joined[low - 1]?.to ?? 0)
  }
}
