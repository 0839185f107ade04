// Words of the syntax tree to the texts they may stand for.
import { forEachChild, type ParsedScript, parse, type SyntaxNode, type Word, type WordPart } from 'unbash'
import { expandBraces } from './braces.ts'
import { hole, isKnown } from './command.ts'
import { limits } from './limits.ts'
import { type Shell, unknown } from './reading.ts'
import { assign, scopeIn, type Values, valuesIn } from './scope.ts'

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
  if (!splits) return texts
  return texts.flatMap((text) => splitAt(text, ` \t\n${signsOf(shell)}`))
}

/** What IFS adds to the blanks that words are split at. */
const signsOf = (shell: Shell) => valuesOf('IFS', shell).filter(isKnown).join('')

/** The fields of a text, split at any of these signs. */
export function splitAt(text: string, signs: string): readonly string[] {
  const fields: string[] = []
  let field = ''
  for (const sign of text) {
    if (!signs.includes(sign)) field += sign
    else {
      if (field !== '') fields.push(field)
      field = ''
    }
  }
  return field === '' ? fields : [...fields, field]
}

/** The texts a word may stand for, unsplit, as in an assignment or a redirection. */
export function textsOf(word: Word, shell: Shell, run: RunScript): readonly string[] {
  return piecesOf(word, shell, run).texts
}

function piecesOf(word: Word, shell: Shell, run: RunScript): Pieces {
  if (word.parts === undefined) return { texts: withHome(word.value, word.text, shell), splits: false }
  const signs = ` \t\n${signsOf(shell)}`
  let texts: readonly string[] = ['']
  let splits = false
  for (const [at, part] of word.parts.entries()) {
    const choices = choicesOf(part, shell, run)
    const isFirst = at === 0 && part.type === 'Literal'
    texts = joined(texts, isFirst ? choices.flatMap((text) => withHome(text, part.text, shell)) : choices, shell)
    if (isExpansion(part) && choices.some((text) => [...signs].some((sign) => text.includes(sign)))) splits = true
  }
  return { texts, splits }
}

const isExpansion = ({ type }: WordPart) =>
  type === 'SimpleExpansion' || type === 'ParameterExpansion' || type === 'CommandExpansion'

const sizeOf = (texts: readonly string[]) => texts.reduce((size, text) => size + text.length, 0)

function joined(before: readonly string[], choices: readonly string[], { reading }: Shell): readonly string[] {
  reading.spend(1 + (sizeOf(before) + sizeOf(choices)) / 64)
  const texts = before.length * choices.length > limits.choices ? before.map((text) => text + hole) : undefined
  const all = texts ?? before.flatMap((text) => choices.map((choice) => text + choice))
  return all.map((text) => (text.length > limits.valueLength ? hole : text))
}

function withHome(value: string, source: string, shell: Shell): readonly string[] {
  if (!source.startsWith('~')) return [value]
  const [, user = '', rest = ''] = /^~([^/]*)(.*)$/s.exec(value) ?? []
  if (user === '') return valuesOf('HOME', shell).map((home) => home + rest)
  if (user === '+') return [shell.cwd + rest]
  // Somebody's home, wherever it is: beside one's own, most of the time.
  return [user === 'root' ? `/root${rest}` : `/home/${user}${rest}`]
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
      return part.parts.reduce<readonly string[]>(
        (texts, inner) => joined(texts, choicesOf(inner, shell, run), shell),
        [''],
      )
    case 'SimpleExpansion':
      return valuesOf(part.text.slice(1), shell)
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

/** A shell of its own, whose `cd` and variables are nobody else's. */
export function inside(shell: Shell): Shell {
  return { ...shell, depth: shell.depth + 1, scope: scopeIn(shell.scope) }
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
    const known = valuesOf(part.parameter, shell)
    const { operator, operand } = part.operation
    const others = textsOf(operand, shell, run)
    if (operator.endsWith('?')) return known
    if (operator.endsWith('+')) return ['', ...others]
    const either = [...known, ...others]
    if (operator.endsWith('=')) assign(shell.scope, part.parameter, either)
    return either
  }
  if (part.operation !== undefined || part.index !== undefined) runWithin(part, shell, run)
  if (part.prefix !== undefined || part.operation !== undefined) return unknown
  return valuesOf(part.parameter, shell)
}

/** What a shell sets by itself. */
export function ownValue(name: string, { reading, cwd }: Shell): Values {
  if (name === 'HOME') return [reading.home]
  if (name === 'PWD') return [cwd]
  if (name === 'SHELL' || name === 'BASH') return ['/bin/bash']
  return name === 'IFS' ? [' '] : unknown
}

/** What a variable may hold; a hole where the text does not say. */
export function valuesOf(name: string, shell: Shell): Values {
  const { positional, scope } = shell
  if (name === '@' || name === '*') return positional?.slice(1) ?? unknown
  if (name === '0') return [positional?.[0] ?? 'bash']
  if (/^\d+$/.test(name)) {
    if (positional === undefined) return unknown
    return [positional[Number(name)] ?? (positional.every(isKnown) ? '' : hole)]
  }
  return valuesIn(scope, name) ?? ownValue(name, shell)
}
