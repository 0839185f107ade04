// Options as getopt reads them: bundled short ones, values joined or apart, unique prefixes of long ones.

export type OptionSpec = {
  /** Short options that take a value, as letters. */
  readonly valued?: string
  /** Long options, without dashes; those that take a value end in `=`. */
  readonly long?: readonly string[]
  /** Options end at the first operand, as with wrappers, whose command follows. */
  readonly stopsAtOperand?: boolean
}

export type Options = {
  /** Letters of short options and names of long ones. */
  readonly flags: ReadonlySet<string>
  readonly values: ReadonlyMap<string, readonly string[]>
  readonly operands: readonly string[]
}

/** The options and operands among `args`. A long option that no spec knows is a flag of that name. */
export function readOptions(args: readonly string[], spec: OptionSpec = {}): Options {
  const flags = new Set<string>()
  const values = new Map<string, string[]>()
  const operands: string[] = []
  const add = (name: string, value: string) => {
    const known = values.get(name)
    if (known === undefined) values.set(name, [value])
    else known.push(value)
  }
  let at = 0
  for (; at < args.length; at++) {
    const word = args[at] ?? ''
    if (word === '--') {
      at++
      break
    }
    if (word.startsWith('--')) {
      const { name, value, wants } = readLong(word.slice(2), spec.long ?? [])
      setLong(flags, name, value)
      if (value !== undefined) add(name, value)
      else if (wants) add(name, args[++at] ?? '')
    } else if (word.startsWith('-') && word.length > 1) {
      for (let letter = 1; letter < word.length; letter++) {
        const name = word[letter] ?? ''
        flags.add(name)
        if (!(spec.valued ?? '').includes(name)) continue
        add(name, letter + 1 < word.length ? word.slice(letter + 1) : (args[++at] ?? ''))
        break
      }
    } else if (spec.stopsAtOperand) break
    else operands.push(word)
  }
  return { flags, values, operands: [...operands, ...args.slice(at)] }
}

/** Short options that are the same as a long one, wherever both are known. */
const letters = new Map([
  ['all', 'a'],
  ['delete', 'd'],
  ['dry-run', 'n'],
  ['force', 'f'],
  ['interactive', 'i'],
  ['patch', 'p'],
  ['remotes', 'r'],
  ['staged', 'S'],
  ['worktree', 'W'],
])

/** The last one counts: `--no-X` takes back X and its letter, `--X=false` is none. */
function setLong(flags: Set<string>, name: string, value: string | undefined): void {
  const isNegated = name.startsWith('no-')
  const taken = isNegated ? name.slice(3) : `no-${name}`
  flags.delete(taken)
  if (isNegated) flags.delete(letters.get(taken) ?? '')
  if (value === undefined || !/^(?:none|false|no|off)$/i.test(value)) flags.add(name)
  else flags.delete(name)
}

function readLong(word: string, known: readonly string[]) {
  const equals = word.indexOf('=')
  const typed = equals < 0 ? word : word.slice(0, equals)
  const value = equals < 0 ? undefined : word.slice(equals + 1)
  const bare = (option: string) => option.replace(/=$/, '')
  const exact = known.find((option) => bare(option) === typed)
  // Git takes `--no-verif`, and `--no-dry` for what `--dry-run` turns on.
  const all = typed.startsWith('no') ? [...known, ...known.map((option) => `no-${bare(option)}`)] : known
  const starting = [...new Set(all.filter((option) => bare(option).startsWith(typed)))]
  const option = exact ?? (starting.length === 1 ? starting[0] : undefined)
  return { name: option === undefined ? typed : bare(option), value, wants: option?.endsWith('=') ?? false }
}
