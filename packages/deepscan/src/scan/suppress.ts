// Comments that ask for silence: our own `deepscan-ignore`, and those of other tools where they mean the same defect.
import { endOf, type Rule, startOf } from '../rule/rule.ts'
import type { Node } from '../syntax/parser.ts'
import type { LineColumn } from '../text/source-text.ts'
import type { Comment, Request } from './comment.ts'
import { type IsCovered, joinLines } from './covered-lines.ts'
import { readForeign } from './foreign.ts'

/** Whether a comment in the source asks that the rule is not reported on the line. */
export type IsSuppressed = (line: number, rule: Rule) => boolean

/** Words of which a text with such a comment has one. */
export const suppressionWords =
  /deepscan-ignore|(?:eslint|oxlint)-(?:disable|enable)|biome-ignore|noqa|nosec|nolint|nosemgrep|pylint:|shellcheck disable/

type Source = { text: string; placeOf: (offset: number) => LineColumn; isForeignHeard: boolean }

/** Reads the comments that were found in a text. */
export function readSuppressions(comments: readonly Node[], source: Source): IsSuppressed {
  const read = comments.map((comment) => describe(comment, source))
  const requests = [...read.flatMap(readOwn), ...(source.isForeignHeard ? readForeign(read, source.text) : [])]
  const byRule = new Map<Rule, IsCovered>()
  return (line, rule) => {
    const isCovered = byRule.get(rule) ?? joinLines(requests.filter(({ covers }) => covers(rule)))
    byRule.set(rule, isCovered)
    return isCovered(line)
  }
}

function describe(comment: Node, { text, placeOf }: Source): Comment {
  const { line, column } = placeOf(startOf(comment))
  const before = text.slice(startOf(comment) - column + 1, startOf(comment))
  const isAlone = before.trim() === ''
  return { text: comment.text(), line, last: placeOf(endOf(comment)).line, isAlone }
}

/**
 * `deepscan-ignore [rule ...]`: without rules it stands for all of them. A comment behind code covers its own line;
 * one that stands alone covers the line after it too.
 */
function readOwn({ text, line, last, isAlone }: Comment): readonly Request[] {
  const request = /deepscan-ignore(?![\w-])[:\s]*((?:[a-z]+\/[\w-]+[,\s]*)*)/.exec(text)
  if (request === null) return []
  const named = (request[1] ?? '').split(/[,\s]+/).filter(Boolean)
  const covers = ({ id }: Rule) => named.length === 0 || named.includes(id)
  return [line, ...(isAlone ? [last + 1] : [])].map((at) => ({ from: at, to: at, covers }))
}
