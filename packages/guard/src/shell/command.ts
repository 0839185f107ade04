// A simple command as the guard sees it: words with their quotes, variables and braces resolved as far as the text
// itself tells.

/** Stands in a word for what the text does not tell: a variable, the output of a program. */
export const hole = '\u0000'

/** Stands in front of text that came out of a decoder (base64 -d): run as a program, nobody read it. */
export const decoded = '\u0001'

/** Stands in front of what was downloaded. */
export const downloaded = '\u0002'

export type Redirect = { readonly operator: string; readonly path: string }

export type Command = {
  readonly argv: readonly string[]
  /** Variables set for this command alone. */
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly redirects: readonly Redirect[]
  /** What it reads, where the text tells; a hole where it reads something unknown. */
  readonly stdin: string | undefined
  /** Where it runs: an absolute path, or a hole. */
  readonly cwd: string
  /** The wrappers it was found in, outermost first: sudo, sh -c, xargs. */
  readonly via: readonly string[]
  /** It runs on another machine. */
  readonly remote: boolean
  /** It stands in a script on disk. */
  readonly isFromFile?: boolean
}

export const isKnown = (text: string) => !text.includes(hole)

/** The name a command is looked up by: without its folder, and as small letters, since some disks find `RM` too. */
export function nameOf(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1).toLowerCase()
}

/** `git push --help`, not what some programs take for one more operand. */
export function asksForHelp([, ...args]: readonly string[]): boolean {
  return args.length <= 2 && /^--?(?:help|version)$/.test(args.at(-1) ?? '') && !args.some((arg) => arg.includes('/'))
}

/** A command as one line, holes as `$…`. */
export function shownCommand(argv: readonly string[]): string {
  const line = argv.map((word) => (/^[\w@%+=:,./~*?-]+$/.test(word) ? word : quoted(word))).join(' ')
  return line.length > 200 ? `${line.slice(0, 199)}…` : line
}

function quoted(word: string): string {
  const shown = word.replaceAll(hole, '$…').replaceAll(decoded, '').replaceAll(downloaded, '')
  return word.includes(hole) ? `"${shown}"` : `'${shown.replaceAll("'", "'\\''")}'`
}
