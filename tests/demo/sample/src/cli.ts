import { readFileSync } from 'node:fs'
import { median } from './amounts.js'
import { countClosed, type Entry, totals } from './ledger.js'
import { writeReport } from './report.js'
import { requireAmount } from './validate.js'

function parseLine(line: string): Entry {
  const [name = '', amount, state] = line.split(',')
  return { name, amount: requireAmount(amount), state: state === 'closed' ? 'closed' : 'open' }
}

const entries = readFileSync(process.argv[2] ?? 'ledger.csv', 'utf8').trim().split('\n').map(parseLine)
await writeReport(totals(entries), { write: async (line) => console.log(line) })
console.log(`median ${median(entries.map((entry) => entry.amount))}, closed ${countClosed(entries)}`)
