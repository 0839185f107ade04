// Words of the syntax tree to the texts they may stand for.
import { forEachChild, type ParsedScript, parse, type SyntaxNode, type Word, type WordPart } from 'unbash'
import { expandBraces } from './braces.ts'
import { hole } from './command.ts'
import { limits, type Shell, unknown } from './reading.ts'

/** What runs the scripts inside of words: returns what they print. */
export type RunScript = (script: ParsedScript, shell: Shell) => string

type Pieces = { readonly texts: readonly string[]; readonly splits: boolean }

/** Arguments that a word becomes: more than one by braces, splitting, or because a variable has several values. */
export function fieldsOf(word: Word, shell: Shell, run: RunScript): readonly string[] {
  const isExpanded = word.text.includes('{') && word.parts?.some(({ type }) => type === 'BraceExpansion')
  if (isExpanded) {
    const sources = word.text.length > 4096 ? undefined : expandBraces(word.text)
    return sources === undefined ? unknown : sources.flatMap((source) => fieldsOfSource(source, shell, run))
  }
  return plainFields(word, shell, run)
}

function fieldsOfSource(source: string, shell: Shell, run: RunScript): readonly string[] {
  const expanded = parse(`x ${source}`).commands[0]?.command
  const args = expanded?.type === 'Command' ? expanded.args : []
  return args.flatMap((arg) => (arg.type === 'Word' ? plainFields(arg, shell, run) : [arg.text]))
}

function plainFields(word: Word, shell: Shell, run: RunScript): readonly string[] {
  const { texts, splits } = piecesOf(word, shell, run)
  return splits ? texts.flatMap((text) => text.split(/[ \t\n]+/).filter((field) => field !== '')) : texts
}

/** The texts a word may stand for, unsplit, as in an assignment or a redirection. */
export function textsOf(word: Word, shell: Shell, run: RunScript): readonly string[] {
  return piecesOf(word, shell, run).texts
}

function piecesOf(word: Word, shell: Shell, run: RunScript): Pieces {
  if (word.parts === undefined) return { texts: [withHome(word.value, word.text, shell)], splits: false }
  let texts: readonly string[] = ['']
  let splits = false
  for (const [at, part] of word.parts.entries()) {
    const choices = choicesOf(part, shell, run)
    const isFirst = at === 0 && part.type === 'Literal'
    texts = joined(texts, isFirst ? choices.map((text) => withHome(text, part.text, shell)) : choices)
    if (isExpansion(part) && choices.some((text) => /\s/.test(text))) splits = true
  }
  return { texts, splits }
}

const isExpansion = ({ type }: WordPart) =>
  type === 'SimpleExpansion' || type === 'ParameterExpansion' || type === 'CommandExpansion'

function joined(before: readonly string[], choices: readonly string[]): readonly string[] {
  const texts = before.length * choices.length > limits.choices ? before.map((text) => text + hole) : undefined
  const all = texts ?? before.flatMap((text) => choices.map((choice) => text + choice))
  return all.map((text) => (text.length > limits.valueLength ? hole : text))
}

function withHome(value: string, source: string, { reading, cwd }: Shell): string {
  if (!source.startsWith('~')) return value
  const [, user = '', rest = ''] = /^~([^/]*)(.*)$/s.exec(value) ?? []
  if (user === '') return reading.home + rest
  if (user === '+') return cwd + rest
  return user === 'root' ? `/root${rest}` : hole + rest
}

function choicesOf(part: WordPart, shell: Shell, run: RunScript): readonly string[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
    case 'Glob':
      return [part.value]
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.reduce<readonly string[]>((texts, inner) => joined(texts, choicesOf(inner, shell, run)), [''])
    case 'SimpleExpansion':
      return valuesOf(part.text.slice(1), shell, run)
    case 'ParameterExpansion':
      return parameterValues(part, shell, run)
    case 'CommandExpansion':
      return part.script === undefined ? unknown : [run(part.script, inside(shell)).replace(/\n+$/, '')]
    case 'ProcessSubstitution': {
      const printed = part.script === undefined ? hole : run(part.script, inside(shell))
      const path = `/dev/fd/${100 + shell.reading.files.size}`
      shell.reading.files.set(path, printed)
      return [path]
    }
    case 'ExtendedGlob':
      return ['*']
    default:
      runWithin(part, shell, run)
      return part.type === 'BraceExpansion' ? [part.text] : unknown
  }
}

/** A shell of its own, whose `cd` is nobody else's. */
export function inside(shell: Shell): Shell {
  return { ...shell, depth: shell.depth + 1 }
}

/** Reads the scripts inside of what has no value of its own, such as arithmetic. */
export function runWithin(node: SyntaxNode, shell: Shell, run: RunScript): void {
  forEachChild(node, (child) => {
    if (child.type === 'Script') run(child, inside(shell))
    else runWithin(child, shell, run)
  })
}

function parameterValues(
  part: Extract<WordPart, { type: 'ParameterExpansion' }>,
  shell: Shell,
  run: RunScript,
): readonly string[] {
  if (part.operation?.type === 'Default') {
    const known = valuesOf(part.parameter, shell, run)
    const { operator, operand } = part.operation
    const others = textsOf(operand, shell, run)
    if (operator.endsWith('?')) return known
    return operator.endsWith('+') ? ['', ...others] : [...known, ...others]
  }
  if (part.operation !== undefined || part.index !== undefined) runWithin(part, shell, run)
  if (part.prefix !== undefined || part.operation !== undefined) return unknown
  return valuesOf(part.parameter, shell, run)
}

/** What a shell sets by itself. */
function ownValue(name: string, { reading, cwd }: Shell): readonly string[] {
  if (name === 'HOME') return [reading.home]
  if (name === 'PWD') return [cwd]
  return name === 'IFS' ? [' '] : unknown
}

/** What a variable may hold; a hole where the text does not say. */
function valuesOf(name: string, shell: Shell, run: RunScript): readonly string[] {
  const { reading, positional, evaluating } = shell
  if (positional !== undefined) {
    if (name === '@' || name === '*') return positional.slice(1)
    const value = /^\d$/.test(name) ? positional[Number(name)] : undefined
    if (value !== undefined) return [value]
  }
  if (evaluating.has(name)) return unknown
  const found = reading.variables.get(name)
  if (found === undefined) return ownValue(name, shell)
  const within = { ...inside(shell), evaluating: new Set([...evaluating, name]) }
  const values = found.flatMap((value) => (typeof value === 'string' ? [value] : textsOf(value, within, run)))
  const distinct = [...new Set(values)]
  const kept = distinct.length > limits.choices ? unknown : distinct
  // Worked out once: variables made of variables would double with each.
  if (evaluating.size === 0) reading.variables.set(name, [...kept])
  return kept
}
