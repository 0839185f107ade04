import type { Node } from '../syntax/parser.ts'
import type { Edit, Rule, SourceContext } from './rule.ts'
import { endOf, startOf } from './rule.ts'

/** The edits of the rule for this match, in order; nothing when there are none or when they would delete a comment. */
export function planRewrite(rule: Rule, match: Node, context: SourceContext): readonly Edit[] | undefined {
  const edits = rule.rewrite?.(match, context)
  if (edits === undefined || edits.length === 0) return undefined
  const ordered = [...edits].sort((a, b) => a.start - b.start || a.end - b.end)
  return deletesComment(ordered, context) ? undefined : ordered
}

/** The text with the edits made; everything else in it stays as it is. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = ''
  let position = 0
  for (const edit of edits) {
    if (edit.start < position) throw new Error('bug: the edits of a rewrite overlap')
    result += text.slice(position, edit.start) + edit.text
    position = edit.end
  }
  return result + text.slice(position)
}

/** The lines that the edits touch, before and after, without their last line end. */
export function changedLines(text: string, edits: readonly Edit[]): { start: number; before: string; after: string } {
  const first = edits[0]?.start ?? 0
  const last = Math.max(...edits.map((edit) => edit.end))
  const start = text.lastIndexOf('\n', first - 1) + 1
  const lineEnd = text.indexOf('\n', last)
  const end = lineEnd === -1 ? text.length : lineEnd
  const moved = edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }))
  const before = text.slice(start, end)
  return { start, before, after: applyEdits(before, moved) }
}

/** Looks only where a deleted stretch holds what could be a comment, so that the tree is searched for few matches. */
function deletesComment(edits: readonly Edit[], { root, text }: SourceContext): boolean {
  const deletions = edits.filter((edit) => /\/[/*]|#/.test(text.slice(edit.start, edit.end)))
  if (deletions.length === 0) return false
  const comments = root.findAll({ rule: { kind: 'comment' } })
  return deletions.some((edit) =>
    comments.some((comment) => startOf(comment) < edit.end && endOf(comment) > edit.start),
  )
}
