import type { RuledLanguage } from '../syntax/language.ts'

/** People write a few dozen; a thousand take the grammar a moment, ten thousand take it a hundred times that. */
const linesMax = 1_000

/**
 * Whether a source has so many lines in a row that are comments or continue nothing that its grammar takes the square
 * of their number: that of Python looks at all that follow from each of them.
 */
export function hasEndlessRun(language: RuledLanguage, bytes: Buffer): boolean {
  if (language !== 'python') return false
  let run = 0
  for (const line of bytes.toString('latin1').split('\n')) {
    const text = line.trim()
    if (text === '') continue
    run = text.startsWith('#') || text === '\\' ? run + 1 : 0
    if (run > linesMax) return true
  }
  return false
}
