import assert from 'node:assert/strict'
import { test } from 'node:test'
import { median, parseAmounts } from '../build/amounts.js'
import { addToGrid, emptyGrid } from '../build/grid.js'
import { countClosed, isReserved, totals } from '../build/ledger.js'
import { writeReport } from '../build/report.js'
import { inOnes } from '../build/units.js'
import { connection } from '../build/upload.js'
import { isAmount, requireAmount } from '../build/validate.js'

test('parses an amount', () => assert.deepEqual(parseAmounts('12'), [12]))
test('finds the middle of three', () => assert.equal(median([3, 1, 2]), 2))
test('scales thousands', () => assert.equal(inOnes(2, 'k'), 2000))
test('knows reserved names', () => assert.equal(isReserved('median'), true))
test('sums by name', () => assert.deepEqual(totals([{ name: 'rent', amount: 1, state: 'open' }]), { rent: 1 }))
test('counts closed entries', () => assert.equal(countClosed([{ name: 'rent', amount: 1, state: 'closed' }]), 1))
test('refuses what is no amount', () => assert.equal(isAmount('x'), false))
test('requires an amount', () => assert.equal(requireAmount('7'), 7))
test('connects to the right port', () => assert.equal(connection.port, 443))
test('adds to a month', () => {
  const grid = emptyGrid(1)
  addToGrid(grid, 0, 1, 5)
  assert.deepEqual(grid, [[0, 5]])
})
test('ends a report', async () => {
  const lines = []
  await writeReport({}, { write: async (line) => void lines.push(line) })
  assert.deepEqual(lines, ['end'])
})
