// The page of a verb, as it is printed for `VERB --help`: usage, arguments, flags and examples, aligned left.
import type { BooleanArgDef, EnumArgDef, StringArgDef } from 'citty'
import { padColumn, widest } from './columns.ts'
import { listedFlags } from './listed-flags.ts'
import { globalFlags } from './tokens.ts'
import type { ArgSpec, FlagSpec, VerbSpec } from './verb.ts'

type Row = readonly [left: string, right: string]

/** A longer left side has its right side below it. */
const leftCellsMax = 30

/**
 * The page of a verb: `words` are those that call it, `title` its first line. The headings are bold where there is
 * colour.
 */
export function renderPage(words: string, title: string, spec: VerbSpec, color: boolean): string {
  const heading = (text: string) => (color ? `\u001b[1m${text}\u001b[0m` : text)
  const args = (spec.args ?? []).map((arg): Row => [arg.name, arg.summary])
  const flags = listedFlags(spec).map(rowOf)
  const everywhere = Object.entries(globalFlags).map(rowOf)
  const width = Math.min(leftCellsMax, widest([...args, ...flags, ...everywhere].map(([left]) => left)))
  const table = (name: string, rows: readonly Row[]) =>
    rows.length === 0 ? [] : ['', heading(name), ...rows.flatMap((row) => linesOf(row, width))]
  return [
    title,
    '',
    heading('USAGE'),
    `  ${[words, ...(spec.args ?? []).map(usageOf), '[flags]'].join(' ')}`,
    ...table('ARGUMENTS', args),
    ...table('FLAGS', flags),
    ...table('FLAGS OF EVERY VERB', everywhere),
    '',
    heading('EXAMPLES'),
    ...spec.examples.map((example) => `  ${example}`),
    '',
  ].join('\n')
}

function usageOf({ name, optional, rest }: ArgSpec): string {
  const shown = `<${name}>${rest ? '...' : ''}`
  return optional ? `[${shown}]` : shown
}

function linesOf([left, right]: Row, width: number): string[] {
  if (widest([left]) <= width) return [`  ${padColumn(left, width)}  ${right}`]
  return [`  ${left}`, `  ${' '.repeat(width)}  ${right}`]
}

function rowOf([name, flag]: readonly [string, FlagSpec]): Row {
  const { alias, valueHint, description = '', default: preset } = cittyDef(flag)
  const written = `${alias === undefined ? '    ' : `-${alias}, `}--${name}`
  const often = flag.type === 'list' ? ' (may be repeated)' : ''
  return [
    valueHint === undefined ? written : `${written} ${valueHint}`,
    `${description}${often}${preset === undefined ? '' : ` (default: ${preset})`}`,
  ]
}

/** A flag as citty's tables have it. */
function cittyDef(flag: FlagSpec): BooleanArgDef | EnumArgDef | StringArgDef {
  const alias = flag.short === undefined ? {} : { alias: flag.short }
  const common = { description: flag.summary, ...alias }
  if (flag.type === 'boolean') return { type: 'boolean', ...common }
  const preset = !('default' in flag) || flag.default === undefined ? {} : { default: String(flag.default) }
  if (flag.type === 'choice')
    return { type: 'enum', ...common, ...preset, options: [...flag.choices], valueHint: flag.choices.join('|') }
  return { type: 'string', ...common, ...preset, valueHint: flag.type === 'duration' ? 'DURATION' : flag.value }
}
