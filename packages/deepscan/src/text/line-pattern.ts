import { Failure } from '@switchyard/ground/failure'
import type { LineSpan } from './line-span.ts'
import { type Needles, needlesOf } from './needles.ts'
import { unicodeClasses } from './unicode-classes.ts'

export type PatternOptions = { ignoreCase: boolean; word: boolean; fixed: boolean }

/** Finds a pattern in single lines, in a time that grows with the line and with nothing else. */
export type LinePattern = {
  /** One of these stands in each line that matches; undefined where no bytes are sure to. */
  needles: Needles | undefined
  matches(line: string): boolean
  /** The matches of a line, from the left, none over another. */
  spans(line: string): readonly LineSpan[]
}

/** Makes a pattern; see `linePattern`. */
export type PatternMaker = (pattern: string, options: PatternOptions) => LinePattern

/**
 * A pattern in RE2's syntax, or plain text with `fixed`. `word` finds it only where no letter, digit or underscore is
 * beside it. Fails as `usage` where the syntax is wrong or cannot be searched in linear time: look-around and back
 * references.
 */
export async function linePattern(pattern: string, options: PatternOptions): Promise<LinePattern> {
  if (isPlain(pattern, options)) return plainText(pattern, needlesOf(pattern, { ...options, fixed: true }))
  return (await patternMaker())(pattern, options)
}

/** What makes patterns at once: the automata are loaded before. */
export async function patternMaker(): Promise<PatternMaker> {
  const { compileLinear } = await import('./linear-regexp.ts')
  return (pattern, options) => {
    const needles = pattern === '' ? undefined : needlesOf(pattern, options)
    if (pattern.includes('\n')) throw refused(pattern, 'a line holds no line end', 'search for one line of it')
    const source = options.fixed ? pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') : unicodeClasses(pattern)
    const compiled = options.word
      ? compileLinear(asWord(source), options.ignoreCase, 1)
      : compileLinear(source, options.ignoreCase)
    if (typeof compiled !== 'string') return { needles, matches: compiled.test, spans: spansBy(compiled.next) }
    const hint = /\(\?<?[=!]|\\[1-9k]/.test(pattern)
      ? 'look-around and back references are left out, so that no pattern takes for ever'
      : 'deepscan grep -F finds a text as it stands'
    throw refused(pattern, compiled, hint)
  }
}

function isPlain(pattern: string, { ignoreCase, word, fixed }: PatternOptions): boolean {
  return !ignoreCase && !word && pattern !== '' && !(fixed ? /\n/ : /[\\^$.*+?()[\]{}|\n]/).test(pattern)
}

function refused(pattern: string, reason: string, hint: string): Failure {
  return new Failure('usage', `${JSON.stringify(pattern)} is no pattern: ${reason}`, { hint })
}

const noWordUnit = '[^\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{Pc}]'

/** The pattern as the first group, with what may stand beside a word around it. */
function asWord(source: string): string {
  return `(?:^|${noWordUnit})((?:${source}))(?:$|${noWordUnit})`
}

function plainText(text: string, needles: Needles | undefined): LinePattern {
  const next = (line: string, from: number): LineSpan | undefined => {
    const start = line.indexOf(text, from)
    return start < 0 ? undefined : [start, start + text.length]
  }
  return { needles, matches: (line) => line.includes(text), spans: spansBy(next) }
}

type Next = (line: string, from: number) => LineSpan | undefined

/** More than that of one line nobody reads. */
const spansMax = 1000

/** All matches by the next one. An empty match moves on by one. */
function spansBy(next: Next): (line: string) => readonly LineSpan[] {
  return (line) => {
    const spans: LineSpan[] = []
    for (let from = 0; from <= line.length && spans.length < spansMax; ) {
      const span = next(line, from)
      if (span === undefined) break
      spans.push(span)
      from = span[1] === span[0] ? span[1] + 1 : span[1]
    }
    return spans
  }
}
