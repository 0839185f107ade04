import { judgedAlways, judgedWith, runners } from './triggers.ts'

const escaped = (word: string) => word.replace(/[.]/g, '\\.')
const names = [...judgedAlways, ...runners].map(escaped).join('|')
const withWords = Object.entries(judgedWith).map(([name, words]) => `${name}\\b[^]*\\b(?:${words.join('|')})`)

/** A program that is judged, or that runs others; `mkfs.ext4` and `python3` begin like one. */
const trigger = new RegExp(`\\b(?:${names}|${withWords.join('|')})(?![a-zA-Z])`)

/** What may become any word: variables, substitutions, braces with a comma, wildcards in a command's name. */
const dynamic = /[$`]|\{[^}]*,|(?:^|[;&|(\n!]|\b(?:then|do|else|time)\b)\s*(?:\w+=\S*\s+)*[^\s;&|]*[*?[]/

/** Redirections that may hit a disk or a store, a function that calls itself, and `.` that runs a file. */
const special =
  /\/dev\/(?!null\b)|\.(?:jwz|tissue|scope|deepscan|git|claude|codex|gemini|opencode)\b|loop\.json|opencode\.json|\(\s*\)|(?:^|[;&|(\s])\.\s/

/**
 * Whether a command could matter at all; when not, nothing is parsed. Looks at the text without its quotes, so that
 * what a shell joins is joined here too: a name that the judge would see in the parsed command is a word of this text.
 */
export function mayMatter(command: string): boolean {
  const bare = command.replace(/\\\r?\n|['"\\]/g, '')
  return trigger.test(bare) || dynamic.test(bare) || special.test(bare)
}
