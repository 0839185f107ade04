import { startOf } from '../rule/rule.ts'
import type { Node } from '../syntax/parser.ts'
import type { LineColumn } from '../text/source-text.ts'

/** Whether a comment in the source asks that the rule is not reported on the line. */
export type IsSuppressed = (line: number, rule: string) => boolean

/**
 * Reads `deepscan-ignore [rule ...]` from comments: without rules it stands for all of them. A comment behind code
 * covers its own
 * line; one that stands alone covers the line after it too.
 */
export function readSuppressions(root: Node, text: string, placeOf: (offset: number) => LineColumn): IsSuppressed {
  if (!text.includes('deepscan-ignore')) return () => false
  const rulesByLine = new Map<number, string[]>()
  for (const comment of root.findAll({ rule: { kind: 'comment', regex: 'deepscan-ignore' } })) {
    const request = /deepscan-ignore(?![\w-])[:\s]*((?:[a-z]+\/[a-z0-9-]+[,\s]*)*)/.exec(comment.text())
    if (request === null) continue
    const named = (request[1] ?? '').split(/[,\s]+/).filter(Boolean)
    const { line, column } = placeOf(startOf(comment))
    const last = placeOf(comment.range().end.index).line
    const before = text.slice(startOf(comment) - column + 1, startOf(comment))
    const covered = before.trim() === '' ? [line, last + 1] : [line]
    for (const at of covered)
      rulesByLine.set(at, [...(rulesByLine.get(at) ?? []), ...(named.length > 0 ? named : ['*'])])
  }
  return (line, rule) => rulesByLine.get(line)?.some((name) => name === '*' || name === rule) ?? false
}
