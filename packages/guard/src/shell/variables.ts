// What the shell's own commands do to its variables: export, local, unset, read, mapfile, set, shift, printf -v.
import type { Assignment } from 'unbash'
import { type Command, hole, isKnown } from './command.ts'
import { limits } from './limits.ts'
import { readOptions } from './options.ts'
import { printedByPrintf } from './printed.ts'
import { type Shell, unknown } from './reading.ts'
import { assign, exportName, mayAssign, type Values } from './scope.ts'
import { fieldsOf, ownValue, type RunScript, splitAt, textsOf, valuesOf } from './words.ts'

/** What an assignment gives; what is appended to stands before it. */
function valuesOfAssignment({ name, value, append, index }: Assignment, shell: Shell, run: RunScript): Values {
  const given =
    value.type === 'Word'
      ? textsOf(value, shell, run)
      : value.elements.flatMap((element) => (element.type === 'Word' ? fieldsOf(element, shell, run) : unknown))
  if (append !== true && index === undefined) return given
  const before = valuesOf(name, shell)
  if (value.type !== 'Word' || index !== undefined) return [...before, ...given]
  const all = before.flatMap((one) => given.map((other) => one + other))
  return all.length > limits.choices ? unknown : all.map((text) => (text.length > limits.valueLength ? hole : text))
}

/** Makes an assignment in the shell itself. */
export function makeAssignment(node: Assignment, shell: Shell, run: RunScript): void {
  assign(shell.scope, node.name, valuesOfAssignment(node, shell, run))
}

const declaring = new Set(['export', 'declare', 'typeset', 'local', 'readonly'])

/** Follows a command that sets, reads or forgets variables. */
export function changeVariables(command: Command, shell: Shell): void {
  const [name = '', ...args] = command.argv
  if (declaring.has(name)) declare(name, args, shell)
  else if (name === 'unset') forget(args, shell)
  else if (name === 'read') readLine(command, args, shell)
  else if (name === 'mapfile' || name === 'readarray') {
    const { operands } = readOptions(args, { valued: 'dnOsuCc' })
    assign(shell.scope, operands[0] ?? 'MAPFILE', linesOf(command) ?? unknown)
  } else if (name === 'alias') {
    for (const arg of args) {
      const equals = arg.indexOf('=')
      if (equals > 0) shell.reading.aliases.set(arg.slice(0, equals), arg.slice(equals + 1))
    }
  } else if (name === 'getopts') assign(shell.scope, args[1] ?? 'OPTARG', unknown)
  else if (name === 'set') setPositional(args, shell)
  else if (name === 'shift') {
    const count = args[0] === undefined ? 1 : Number(args[0])
    const { positional, reading } = shell
    if (positional === undefined) return
    reading.spend(positional.length / 8)
    shell.positional = [positional[0] ?? hole, ...positional.slice(1 + (Number.isNaN(count) ? 1 : count))]
  } else if (name === 'printf' && args[0] === '-v') assign(shell.scope, args[1] ?? '', [printedByPrintf(args.slice(2))])
}

function declare(verb: string, args: readonly string[], { scope }: Shell): void {
  const isExport = verb === 'export' || args.some((arg) => /^-[a-zA-Z]*x/.test(arg))
  const given = new Map<string, string[]>()
  for (const arg of args) {
    const [, name = '', , value] = /^([A-Za-z_]\w*)(\+?=([\s\S]*))?$/.exec(arg) ?? []
    if (name === '') continue
    if (isExport) exportName(scope, name)
    if (verb === 'local' || verb === 'declare' || verb === 'typeset') scope.locals.add(name)
    const before = given.get(name)
    if (value !== undefined) before === undefined ? given.set(name, [value]) : before.push(value)
    else if (verb === 'local') given.set(name, [''])
  }
  for (const [name, values] of given) assign(scope, name, values)
}

function forget(args: readonly string[], { scope, reading }: Shell): void {
  const { flags, operands } = readOptions(args)
  for (const name of operands) {
    if (flags.has('f')) reading.functions.delete(name)
    else assign(scope, name, [''])
  }
}

/** The lines of what a command reads; undefined where nobody knows them. */
function linesOf({ stdin }: Command): readonly string[] | undefined {
  if (stdin === undefined || stdin.length > limits.valueLength) return undefined
  const lines = stdin.replace(/\n$/, '').split('\n')
  return lines.length > limits.choices ? undefined : lines
}

/** `read`: any of the lines, as a loop around it reads them all. */
function readLine(command: Command, args: readonly string[], shell: Shell): void {
  const { operands, values } = readOptions(args, { valued: 'adinNptu' })
  const array = values.get('a')?.[0]
  const names = array === undefined ? (operands.length === 0 ? ['REPLY'] : operands) : [array]
  const lines = linesOf(command)
  const given = command.env.find(({ name }) => name === 'IFS')?.value ?? valuesOf('IFS', shell)[0] ?? ' '
  const signs = isKnown(given) ? given : ' '
  const fields = lines?.map((line) => splitAt(line, signs))
  for (const [at, name] of names.entries()) {
    const isLast = at === names.length - 1
    const found = fields?.flatMap((words) => {
      if (array !== undefined) return words
      return isLast ? [words.slice(at).join(' ')] : [words[at] ?? '']
    })
    assign(shell.scope, name, found ?? unknown)
  }
}

function setPositional(args: readonly string[], shell: Shell): void {
  const at = args.findIndex((arg) => arg === '--' || !/^[-+]/.test(arg))
  if (at < 0) return
  const isOption = args[at] !== '--' && /^[-+]\w*o$/.test(args[at - 1] ?? '')
  if (isOption) return
  shell.positional = [shell.positional?.[0] ?? 'bash', ...args.slice(args[at] === '--' ? at + 1 : at)]
}

/**
 * Takes what a loop's body sets for possible when it begins: it may have been run before. What a program prints, or
 * what is not set there by `=`, nobody knows then.
 */
export function mayRepeat(assignments: readonly Assignment[], shell: Shell, run: RunScript): void {
  for (const { name, value, append } of assignments) {
    const isPlain = value.type === 'Word' && append !== true && !/[$`]\(|`/.test(value.text)
    const values = isPlain && value.type === 'Word' ? textsOf(value, shell, run) : unknown
    mayAssign(shell.scope, name, values, ownValue(name, shell))
  }
}
