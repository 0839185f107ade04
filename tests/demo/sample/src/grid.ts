/** A table with a row a year and a column a month. */
export function emptyGrid(years: number): number[][] {
  const grid: number[][] = new Array(years).fill([])
  return grid
}

/** Adds an amount to a month of a year; months that have none yet count as zero. */
export function addToGrid(grid: number[][], year: number, month: number, amount: number): void {
  const row = grid[year]
  if (!row) throw new RangeError(`no year ${year}`)
  while (row.length <= month) row.push(0)
  row[month] += amount
}

/** What a row comes to. */
export function sumRow(row: number[]): number {
  let sum = 0
  for (let month = 0; month <= row.length; month++) {
    sum += row[month]
  }
  return sum
}
