// What the planted defects break, one check each: all of them fail in the sample as it is shipped. Run in the sample's folder, after its
// build; prints which ones fail.
import { pathToFileURL } from 'node:url'

const load = (name) => import(pathToFileURL(`${process.cwd()}/build/${name}.js`).href)
const { median, parseAmounts } = await load('amounts')
const { addToGrid, emptyGrid, sumRow } = await load('grid')
const { countClosed, distinctNames, isReserved } = await load('ledger')
const { writeReport } = await load('report')
const { inOnes } = await load('units')
const { isAmount, isMissing, requireAmount } = await load('validate')

const entry = (name, amount, state) => ({ name, amount, state })

async function reportLines() {
  const lines = []
  const write = (line) => new Promise((resolve) => setTimeout(() => resolve(lines.push(line)), line === 'end' ? 0 : 10))
  await writeReport({ rent: 1, food: 2 }, { write })
  return lines.join()
}

function thrown(action) {
  try {
    return action()
  } catch (error) {
    return error
  }
}

function gridRows() {
  const grid = emptyGrid(2)
  addToGrid(grid, 0, 0, 5)
  return grid[1].length
}

const checks = {
  'several amounts are parsed': () => parseAmounts('10,10,10').join() === '10,10,10',
  'the median goes by value': () => median([100, 9, 8]) === 9,
  'ones stay ones': () => inOnes(2, 'one') === 2,
  'years do not share a row': () => gridRows() === 0,
  'a row has a sum': () => sumRow([1, 2]) === 3,
  'the first reserved name is reserved': () => isReserved('total'),
  'open entries are not counted as closed': () => countClosed([entry('rent', 1, 'open')]) === 0,
  'a number is an amount': () => isAmount(5),
  'a missing amount is missing': () => isMissing(Number.NaN),
  'what is thrown is an Error': () => thrown(() => requireAmount('x')) instanceof Error,
  'the end comes last': async () => (await reportLines()) === 'food 2,rent 1,end',
  'names are listed once': () => distinctNames([entry('rent', 1, 'open'), entry('rent', 2, 'open')]).join() === 'rent',
}

const failed = []
for (const [title, holds] of Object.entries(checks)) if (!(await holds())) failed.push(title)
console.log(JSON.stringify({ checks: Object.keys(checks).length, failed }))
