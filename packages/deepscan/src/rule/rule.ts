import type { Category, Severity } from '../finding/severity.ts'
import type { Family, RuledLanguage } from '../syntax/language.ts'
import type { Matcher, Node } from '../syntax/parser.ts'

/** Replaces the UTF-16 units from `start` up to `end` by `text`. */
export type Edit = { start: number; end: number; text: string }

/** What a rule may ask beside the match: the source as a whole. */
export type SourceContext = {
  language: RuledLanguage
  text: string
  root: Node
  /** Every use of a name, in order; the tree is searched for names once, at the first question. */
  usesOf: (name: string) => readonly Node[]
}

/**
 * One kind of defect: how it is recognised, what is said about it, and how it is mended where that can be done
 * safely.
 */
export type Rule = {
  /** Family and name, such as `js/nan-comparison`. It stands in stored findings and never changes. */
  id: string
  family: Family
  severity: Severity
  /** How sure it is that a match is a defect, once the code has been read. */
  confidence: Severity
  category: Category
  title: string
  /** Why it is a defect, one or two sentences. */
  message: string
  /** What every text with a match contains; other texts are spared the search of their tree. */
  mentions?: RegExp
  matcher: Matcher
  /** What the matcher cannot say; without it every match counts. */
  accepts?: (match: Node, context: SourceContext) => boolean
  /** The part of the match to point at; the whole match without it. */
  anchor?: (match: Node) => Node
  /** The edits that mend the match, or nothing when this one cannot be mended safely. */
  rewrite?: (match: Node, context: SourceContext) => readonly Edit[] | undefined
}

/** The edit that puts `text` in place of a node. */
export function replaceNode(node: Node, text: string): Edit {
  return { start: startOf(node), end: endOf(node), text }
}

/** The edit that puts `text` between two offsets. */
export function replaceRange(start: number, end: number, text: string): Edit {
  return { start, end, text }
}

/** The edit that adds `text` at an offset. */
export function insertAt(offset: number, text: string): Edit {
  return { start: offset, end: offset, text }
}

export function startOf(node: Node): number {
  return node.range().start.index
}

export function endOf(node: Node): number {
  return node.range().end.index
}
