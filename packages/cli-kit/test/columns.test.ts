import { expect, it } from 'vitest'
import { padColumn, widest } from '../src/columns.ts'

it('columns of wide and narrow characters stand below each other', () => {
  expect(widest(['ab', '日本', 'x'])).toBe(4)
  expect(['ab', '日本', '🙂', 'e\u0301'].map((text) => `${padColumn(text, 4)}|`)).toEqual([
    'ab  |',
    '日本|',
    '🙂  |',
    'e\u0301   |',
  ])
})
