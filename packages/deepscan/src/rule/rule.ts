import type { Category, Severity } from '../finding/severity.ts'
import type { Family, RuledLanguage } from '../syntax/language.ts'
import type { Matcher, Node, Search } from '../syntax/parser.ts'
import type { Resolved } from './resolved.ts'
import type { Value } from './value.ts'

/** Replaces the UTF-16 units from `start` up to `end` by `text`. */
export type Edit = { start: number; end: number; text: string }

/** What a rule may ask beside the match: the source as a whole. */
export type SourceContext = {
  language: RuledLanguage
  text: string
  root: Node
  /** Every use of a name, in order; the tree is searched once a name. */
  usesOf: (name: string) => readonly Node[]
  /** What a name or a chain of members stands for, through imports, aliases and scopes. */
  resolve: (node: Node | null | undefined) => Resolved
  /** Where the value of an expression comes from, as far as the function around it shows. */
  traceOf: (node: Node | null | undefined) => Value
}

/** Whether a rewrite may be applied unseen, or only by somebody who has looked. */
export type Safety = 'safe' | 'offer'

/**
 * One kind of defect: how it is recognised, what is said about it, and how it is mended where that can be done.
 * A rule has a `matcher`, `calls`, both, or a `search` of its own.
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
  /** Where it was a true defect: a published package or an advisory. A rule without it runs only when it is named. */
  fired?: string
  /** Names by which other tools' suppression comments know the same defect. */
  known?: readonly string[]
  /** What every text with a match contains; other texts are spared the search. */
  mentions?: RegExp
  /** The languages of the family that it is for; all of them without it. */
  languages?: readonly RuledLanguage[]
  /** A search of its own, as rules of the user have it. */
  search?: Search
  /** Which nodes to look at. Captures of patterns cannot be asked for: all rules share one search. */
  matcher?: Matcher
  /**
   * Functions whose calls to look at, by the names that imports give: `child_process.exec`, `eval`, `new Buffer`;
   * `*.sort` is a method of anything.
   */
  calls?: readonly string[]
  /** What the matcher cannot say; without it every match counts. */
  accepts?: (match: Node, context: SourceContext) => boolean
  /** The part of the match to point at; the whole match without it. */
  anchor?: (match: Node) => Node
  /** The edits that mend the match, or nothing when this one cannot be mended. */
  rewrite?: (match: Node, context: SourceContext) => readonly Edit[] | undefined
  /** Whether the rewrite is applied as it stands. Each rule with a rewrite says so, with `proof`. */
  safety?: Safety
  /** What has to hold for the rewrite to be safe and is seen to hold; for an offer, what cannot be seen. */
  proof?: string
  /** Whether the rewrite, an offer otherwise, is shown to be safe for this match. */
  isProven?: (match: Node, context: SourceContext) => boolean
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

/** Whether the second node lies inside the first. */
export function isWithin(outer: Node, inner: Node): boolean {
  return startOf(outer) <= startOf(inner) && endOf(inner) <= endOf(outer)
}
