import { RE2JS, RE2JSSyntaxException } from 're2js'
import type { LineSpan } from './line-span.ts'

type LinearRegExp = {
  test(line: string): boolean
  /** The first match at or behind `from`; of its first group, where the pattern has one that counts. */
  next(line: string, from: number): LineSpan | undefined
}

/**
 * A regular expression that is run as an automaton: no pattern takes longer than the line times its own length. A
 * reason comes back where the pattern is not to be had.
 */
export function compileLinear(source: string, ignoreCase: boolean, group = 0): LinearRegExp | string {
  const compiled = compile(source, ignoreCase)
  if (typeof compiled === 'string') return compiled
  return {
    test: (line) => compiled.test(line),
    next: (line, from) => {
      const matcher = compiled.matcher(line)
      return matcher.find(from) ? [matcher.start(group), matcher.end(group)] : undefined
    },
  }
}

function compile(source: string, ignoreCase: boolean): RE2JS | string {
  try {
    return RE2JS.compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return error.message.replace(/^error parsing regexp: /, '')
    throw error
  }
}
