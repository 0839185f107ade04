import { expect, it } from 'vitest'
import { inColumns, tableOf } from '../src/table.ts'

type Row = { name: string; count: number; note: string }
const rows: Row[] = [
  { name: 'a', count: 5, note: '' },
  { name: '日本', count: 120, note: 'a\tnote\nof two lines' },
]
const columns = [
  { text: ({ name }: Row) => name, paint: (text: string) => `<${text}>` },
  { text: ({ count }: Row) => String(count), isRight: true },
  { text: () => '' },
  { text: ({ note }: Row) => note.replace(/\s+/g, ' ') },
] as const
const plain = ({ name, count, note }: Row) => [name, count, note]

it('stands in columns at a terminal, by cells, without empty ones and with nothing behind the last', () => {
  expect(rows.map(tableOf(rows, { plain, columns }, { isTerminal: true }))).toEqual([
    '<a>       5',
    '<日本>  120  a note of two lines',
  ])
})

it('is a row of tabs in a pipe, whatever the cells hold', () => {
  const lines = rows.map(tableOf(rows, { plain, columns }, { isTerminal: false }))
  expect(lines[0]).toBe('a\t5\t')
  expect(lines[1]?.split('\t')).toHaveLength(3)
  expect(lines[1]).not.toContain('\n')
})

it('cuts one column to what the others leave of a line, and lets a long cell push its own row alone', () => {
  const long = { name: 'a long name', count: 1, note: 'here' }
  const cut = [{ text: ({ name }: Row) => name, cutTo: 3 }, { text: ({ note }: Row) => note }]
  expect([long].map(inColumns([long], cut, 12))).toEqual(['a lon…  here'])
  expect([long].map(inColumns([long], cut, 2))).toEqual(['a …  here'])
  const pushed = [{ text: ({ name }: Row) => name, cellsMax: 2 }, { text: ({ count }: Row) => String(count) }]
  expect([...rows, long].map(inColumns([...rows, long], pushed))).toEqual(['a   5', '日本  120', 'a long name  1'])
})
