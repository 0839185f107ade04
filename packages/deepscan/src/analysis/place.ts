import type { Finding } from '../finding/finding.ts'
import { numberIdentities } from '../finding/fingerprint.ts'
import { indexLines } from '../text/source-text.ts'

/** A file of the tree with its text. */
export type Source = { path: string; language: string; text: string }

type Said = Pick<Finding, 'rule' | 'title' | 'message' | 'severity' | 'confidence'> & {
  occurrences?: Finding['occurrences']
}

/** Makes findings about the shape of a program: each points at a stretch of one of its files. */
export function startFindings(): (source: Source, start: number, end: number, said: Said) => Finding {
  const identify = numberIdentities()
  return (source, start, end, said) => {
    const placeOf = indexLines(source.text)
    const [from, to, quote] = [placeOf(start), placeOf(end), source.text.slice(start, end)]
    return {
      ...{ v: 1, type: 'finding', id: identify({ rule: said.rule, path: source.path, symbol: '', quote }) },
      ...{ category: 'architecture', path: source.path, line: from.line, column: from.column },
      ...{
        end_line: to.line,
        end_column: to.column,
        quote,
        fixable: false,
        language: source.language,
        analyser: 'rules',
      },
      ...said,
    }
  }
}
