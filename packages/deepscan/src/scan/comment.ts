import type { Rule } from '../rule/rule.ts'

/** What a comment asks for: silence of some rules, or of all, on some lines. */
export type Request = { from: number; to: number; covers: (rule: Rule) => boolean }

/** A comment and where it stands. */
export type Comment = { text: string; line: number; last: number; isAlone: boolean }
