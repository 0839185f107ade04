import type { Finding } from '../src/finding/finding.ts'

let made = 0

/** A finding as an agent hands it in, with what a test says of it. */
export function aFinding(over: Partial<Finding> = {}): Finding {
  made += 1
  return {
    v: 1,
    type: 'finding',
    id: made.toString(16).padStart(20, '0'),
    rule: 'agent/finding',
    title: 'A query is put together from user input',
    severity: 'medium',
    confidence: 'medium',
    category: 'security',
    path: 'src/a.ts',
    line: 1,
    column: 1,
    end_line: 1,
    end_column: 10,
    quote: 'query(sql)',
    message: 'Values go into the text of a query.',
    fixable: false,
    language: 'typescript',
    analyser: 'agent',
    ...over,
  }
}
