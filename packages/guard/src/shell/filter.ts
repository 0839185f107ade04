// Most commands of an agent matter to nobody, and a hook says so in the time of a few looks: no pattern of a hundred
// words is compiled for it.
import { judgedAlways, judgedWith, runners } from './programs.ts'

/** Names that matter wherever they stand, by their first word: `docker-compose` begins with `docker`. */
const always = byFirstWord([...judgedAlways, ...runners])
/** Names that matter beside another word, and those words. */
const paired = byFirstWord([...judgedWith].flatMap(([name, words]) => [name, ...words]))

function byFirstWord(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const name of names) {
    const first = /^\w+/.exec(name)?.[0] ?? name
    found.set(first, [...(found.get(first) ?? []), name])
  }
  return found
}

/** No first word is longer. */
const lengthMax = 20

/** Behind a dot: stores, settings, git's own folder. */
const folders = new Set('jwz tissue scope deepscan git claude codex gemini opencode'.split(' '))
/** loop's own folder, and programs that set git's hooks. */
const marked = new Set('switchyard husky lefthook'.split(' '))
/** Before a hyphen: cmdlets of PowerShell are a verb, and what it is done to. */
const verbs = new Set('remove clear set add out format initialize stop restart move copy new rename tee'.split(' '))

/**
 * Whether a command could matter at all; when not, nothing is parsed. Looks at the text without its quotes, so that
 * what a shell joins is joined here too: a name that the judge would see in the parsed command is a word of this text.
 * Each look is linear in the text.
 */
export function mayMatter(command: string): boolean {
  const bare = inSmallLetters(command.replace(/\\\r?\n|['"\\]/g, ''))
  if (mayBeAnyWord(bare) || isMarked(bare)) return true
  const seen = new Set<string>()
  for (const { 0: word, index } of bare.matchAll(/\w+/g)) {
    if (isMarkedWord(word, bare, index) || namesAt(always, word, bare, index).length > 0) return true
    for (const name of namesAt(paired, word, bare, index)) seen.add(name)
  }
  return [...judgedWith].some(([name, words]) => seen.has(name) && words.some((other) => seen.has(other)))
}

/** Names that begin with a word of the text and end before anything but a letter: `mkfs.ext4` and `python3` too. */
function namesAt(names: ReadonlyMap<string, readonly string[]>, word: string, text: string, at: number): string[] {
  const found: string[] = []
  for (let length = Math.min(word.length, lengthMax); length > 0; length--) {
    const known = isLetter(word[length]) ? undefined : names.get(word.slice(0, length))
    for (const name of known ?? []) if (text.startsWith(name, at) && !isLetter(text[at + name.length])) found.push(name)
  }
  return found
}

/** Signs of other alphabets stay: the small letters of some are ours. */
const inSmallLetters = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

const isLetter = (sign: string | undefined) => sign !== undefined && sign >= 'a' && sign <= 'z'

/** Redirections that may hit a disk, a function that calls itself, `.`, which runs a file, and files of settings. */
function isMarked(bare: string): boolean {
  return (
    (bare.includes('/dev/') && /\/dev\/(?!null\b)/.test(bare)) ||
    (bare.includes('(') && /\(\s*\)/.test(bare)) ||
    (bare.includes('.') && /(?:^|[;&|(\s])\.\s/.test(bare)) ||
    bare.includes('loop.json') ||
    bare.includes('opencode.json') ||
    bare.includes('pre-commit')
  )
}

function isMarkedWord(word: string, text: string, at: number): boolean {
  const after = text[at + word.length]
  return (
    (text[at - 1] === '.' && folders.has(word)) ||
    marked.has(word) ||
    word.startsWith('loop_') ||
    (word === 'skip' && after === '=') ||
    (after === '-' && verbs.has(word) && isLetter(text[at + word.length + 1]))
  )
}

/** Variables, substitutions, braces with a comma, and wildcards before a flag: a command's name may have them too. */
function mayBeAnyWord(bare: string): boolean {
  if (/[$`]/.test(bare) || (bare.includes('{') && bare.includes(','))) return true
  const wildcard = bare.search(/[*?[]/)
  return wildcard >= 0 && /\s-/.test(bare.slice(wildcard))
}
