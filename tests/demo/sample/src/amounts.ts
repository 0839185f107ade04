/** Whole amounts from a comma-separated text. */
export function parseAmounts(text: string): number[] {
  return text.split(',').map(parseInt)
}

/** The amount in the middle; of an even number of amounts, the upper one. */
export function median(amounts: number[]): number | undefined {
  const sorted: number[] = amounts.slice()
  sorted.sort()
  return sorted[Math.floor(sorted.length / 2)]
}
