import { describe, expect, it } from 'vitest'
import { displayWidth, padColumn, widest } from '../src/columns.ts'

describe('the width of a text', () => {
  it.each([
    ['', 0],
    ['login', 5],
    ['straße', 6],
    ['日本語', 6],
    ['한글', 4],
    ['e\u0301', 1],
    ['\u200b', 0],
    ['🙂', 2],
    ['👩‍👩‍👧', 2],
    ['🇩🇪', 2],
    ['❤️', 2],
    ['1', 1],
    ['…—', 2],
  ])('%s is %i', (text, width) => {
    expect(displayWidth(text)).toBe(width)
  })

  it('makes columns that stand below each other', () => {
    expect(widest(['ab', '日本', 'x'])).toBe(4)
    expect(['ab', '日本', 'x'].map((text) => `${padColumn(text, 4)}|`)).toEqual(['ab  |', '日本|', 'x   |'])
  })
})
