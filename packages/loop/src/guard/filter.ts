import { judgedAlways, judgedWith, runners } from './triggers.ts'

/** One of these words; `mkfs.ext4` and `python3` begin like one. */
const wordOf = (words: readonly string[]) =>
  new RegExp(`\\b(?:${words.map((word) => word.replace('.', '\\.')).join('|')})(?![a-zA-Z])`, 'i')

const always = [...judgedAlways, ...runners]
const any = wordOf([...always, ...Object.keys(judgedWith)])
const trigger = wordOf(always)
/** Cmdlets of PowerShell: a verb, and what it is done to. */
const cmdlet = /\b(?:remove|clear|set|add|out|format|initialize|stop|restart|move|copy|new|rename|tee)-[a-z]/i
const pairs = Object.entries(judgedWith).map(([name, words]) => ({ name: wordOf([name]), words: wordOf(words) }))

/** Redirections that may hit a disk or a store, loop's own folder, a function that calls itself, `.` and `x.sh`, which run a file. */
const special =
  /\/dev\/(?!null\b)|\.(?:jwz|tissue|scope|deepscan|git|claude|codex|gemini|opencode)\b|\bswitchyard\b|\bLOOP_[A-Z]|\b(?:husky|lefthook|pre-commit)\b|\bSKIP=|(?:loop|opencode)\.json|\(\s*\)|(?:^|[;&|(\s])\.\s|\.sh\b/i

/**
 * Whether a command could matter at all; when not, nothing is parsed. Looks at the text without its quotes, so that
 * what a shell joins is joined here too: a name that the judge would see in the parsed command is a word of this text.
 * Each look is linear in the text.
 */
export function mayMatter(command: string): boolean {
  const bare = command.replace(/\\\r?\n|['"\\]/g, '')
  if (mayBeAnyWord(bare) || special.test(bare) || cmdlet.test(bare)) return true
  if (!any.test(bare)) return false
  return trigger.test(bare) || pairs.some(({ name, words }) => name.test(bare) && words.test(bare))
}

/** Variables, substitutions, braces with a comma, and wildcards before a flag: a command's name may have them too. */
function mayBeAnyWord(bare: string): boolean {
  if (/[$`]/.test(bare) || (bare.includes('{') && bare.includes(','))) return true
  const wildcard = bare.search(/[*?[]/)
  return wildcard >= 0 && /\s-/.test(bare.slice(wildcard))
}
