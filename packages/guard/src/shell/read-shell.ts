// Reads a line of shell into the simple commands that it would run, through pipes, substitutions and wrappers. It
// follows what the text tells (cd, variables, what echo prints into a pipe) and nothing else: no program is run.
import { type CompoundList, forEachChild, type ParsedScript, parse, type SyntaxNode } from 'unbash'
import type { Finding } from '../verdict/finding.ts'
import { runAndOr, runCase, runFor, runIf, runWhile } from './branches.ts'
import { tooMuch } from './budget.ts'
import { changeFolder } from './change-folder.ts'
import { type Command, decoded, downloaded, hole, shownCommand } from './command.ts'
import { isForkBomb } from './fork-bomb.ts'
import { asWord } from './git-words.ts'
import type { Inner } from './inner.ts'
import { limits } from './limits.ts'
import { parseSteps } from './parse-steps.ts'
import { printedBy } from './printed.ts'
import type { Shell, ShellReading } from './reading.ts'
import { readRedirects, redirected } from './redirects.ts'
import { exportName, leaveFunction, scopeIn, toldIn } from './scope.ts'
import { unwrap } from './unwrap.ts'
import { changeVariables, makeAssignment } from './variables.ts'
import { fieldsOf, inside, runWithin, textsOf } from './words.ts'

export type ShellPlace = { readonly cwd: string; readonly home: string } & Pick<
  ShellReading,
  'aliasOf' | 'topOf' | 'namesIn' | 'scriptAt' | 'spend'
>

export type ReadCommands = {
  readonly commands: readonly Command[]
  readonly findings: readonly Finding[]
  /** Texts that could not be read: broken, too deep, too much. */
  readonly unread: readonly string[]
}

/** The simple commands of a line of shell, wrappers and what they wrap alike. */
export function readShell(text: string, { cwd, home, ...looks }: ShellPlace): ReadCommands {
  if (text.length > limits.inputLength) throw tooMuch(`it has more than ${limits.inputLength} signs`)
  const reading: ShellReading = {
    home,
    commands: [],
    findings: [],
    unread: [],
    files: new Map(),
    functions: new Map(),
    called: new Set(),
    aliases: new Map(),
    running: new Set(),
    later: [],
    ...looks,
    // What is read again, as the text of an `sh -c`, counts again.
    textLeft: limits.textLength + 4 * text.length,
  }
  runText(text, {
    reading,
    cwd,
    via: [],
    remote: false,
    depth: 0,
    isFromFile: false,
    scope: scopeIn(undefined),
    positional: undefined,
  })
  // Each may add others.
  for (const run of reading.later) run()
  return reading
}

/** Runs a text as a script; returns what it prints, as far as that is known. */
function runText(source: string, shell: Shell, stdin?: string): string {
  const { reading } = shell
  const text = source.replaceAll(decoded, '').replaceAll(downloaded, '')
  if (source.includes(decoded)) reading.findings.push({ rule: 'shell.opaque', at: shownCommand(shell.via) })
  if (source.includes(downloaded)) reading.findings.push({ rule: 'shell.remote-script', at: shownCommand(shell.via) })
  reading.textLeft -= text.length
  if (reading.textLeft < 0 || shell.depth > limits.depth) {
    reading.unread.push(text)
    return hole
  }
  reading.spend(10 + parseSteps(text))
  // A hole in a script is a word that nobody knows.
  const script = parse(text.replaceAll(hole, '$LOOP_GUARD_UNKNOWN'))
  if (script.errors !== undefined && !shell.isFromFile) reading.unread.push(text)
  return runScript(script, shell, stdin)
}

function runScript(script: ParsedScript | CompoundList, shell: Shell, stdin?: string): string {
  if (shell.depth > limits.depth * 4) {
    shell.reading.unread.push('rm')
    return hole
  }
  let printed = ''
  for (const { command, background } of script.commands)
    printed += runNode(command, background === true ? inside(shell) : shell, stdin)
  return printed.length > limits.valueLength ? hole : printed
}

function runNode(node: SyntaxNode, shell: Shell, stdin: string | undefined): string {
  switch (node.type) {
    case 'Command':
      return runCommand(node, shell, stdin)
    case 'Pipeline': {
      let passed = stdin
      for (const command of node.commands) passed = runNode(command, inside(shell), passed)
      return passed ?? ''
    }
    case 'Subshell':
      return runScript(node.body, inside(shell), stdin)
    case 'CompoundList':
      return runScript(node, shell, stdin)
    case 'Redirected':
      return runRedirected(node, shell, stdin)
    case 'Function':
      if (isForkBomb(node, shell.reading.spend))
        shell.reading.findings.push({ rule: 'system.fork-bomb', at: node.name.value })
      return define(node, shell)
    case 'AndOr':
      return runAndOr(node, shell, stdin, runNode)
    case 'If':
      return runIf(node, shell, stdin, runNode)
    case 'Case':
      return runCase(node, shell, stdin, runNode)
    case 'For':
    case 'Select':
      return runFor(node, shell, stdin, runNode, runScript)
    case 'While':
      return runWhile(node, shell, stdin, runNode, runScript)
    case 'Word':
      fieldsOf(node, shell, runScript)
      return ''
    default:
      return runChildren(node, shell, stdin)
  }
}

function runRedirected(node: Extract<SyntaxNode, { type: 'Redirected' }>, shell: Shell, stdin: string | undefined) {
  const { redirects, input } = readRedirects(node.redirects, shell, runScript)
  const { cwd, via, remote } = shell
  emit({ argv: [], env: [], redirects, stdin: undefined, cwd, via, remote }, shell)
  return redirected(runNode(node.command, shell, input ?? stdin), redirects, shell)
}

function runChildren(node: SyntaxNode, shell: Shell, stdin: string | undefined): string {
  let printed = ''
  forEachChild(node, (child) => {
    if (child.type === 'Script') runScript(child, inside(shell))
    else if (child.type === 'Statement') printed += runNode(child.command, shell, stdin)
    else printed += runNode(child, shell, stdin)
  })
  return printed
}

/** A function is run where it is called, and at the end when nothing here calls it. */
function define(node: Extract<SyntaxNode, { type: 'Function' }>, shell: Shell): string {
  const { reading } = shell
  reading.functions.set(node.name.value, node.body)
  reading.later.push(() => {
    if (!reading.called.has(node.body)) runNode(node.body, { ...inside(shell), positional: undefined }, undefined)
  })
  return ''
}

/** Calls a function with its words; what it sets stays, but for its own. */
function callFunction(body: SyntaxNode, command: Command, shell: Shell): string {
  const { reading } = shell
  const [name = ''] = command.argv
  reading.textLeft -= body.end - body.pos
  reading.spend(20)
  if (reading.running.has(name) || reading.textLeft < 0) return hole
  reading.called.add(body)
  reading.running.add(name)
  const within = { ...withEnv(inside(shell), command.env, false), positional: command.argv }
  const printed = runNode(body, within, command.stdin)
  reading.running.delete(name)
  leaveFunction(shell.scope, within.scope)
  shell.cwd = within.cwd
  return printed
}

/** A shell that has the variables which stand before a command; a program of its own has no others. */
function withEnv(shell: Shell, env: Command['env'], isSealed: boolean): Shell {
  const scope = scopeIn(shell.scope, isSealed)
  for (const { name, value } of env) {
    scope.own.set(name, [...(scope.own.get(name) ?? []), value])
    exportName(scope, name)
    scope.locals.add(name)
  }
  return { ...shell, scope }
}

function runCommand(node: Extract<SyntaxNode, { type: 'Command' }>, shell: Shell, stdin: string | undefined): string {
  const { redirects, input } = readRedirects(node.redirects, shell, runScript)
  const env = node.prefix.flatMap((item) => {
    if (item.type !== 'Assignment') return []
    if (node.name === undefined) makeAssignment(item, shell, runScript)
    else if (item.value.type === 'Word') {
      return textsOf(item.value, shell, runScript).map((value) => ({ name: item.name, value }))
    }
    return []
  })
  const names = node.name === undefined ? [] : fieldsOf(node.name, shell, runScript)
  const args = node.args.flatMap((arg) => {
    if (arg.type === 'Word') return fieldsOf(arg, shell, runScript)
    if (arg.value.type === 'Word') return textsOf(arg.value, shell, runScript).map((value) => `${arg.name}=${value}`)
    runWithin(arg, shell, runScript)
    return [`${arg.name}=${hole}`]
  })
  const { cwd, via, remote, isFromFile } = shell
  const command = {
    env: [...toldIn(shell.scope), ...env],
    redirects,
    stdin: input ?? stdin,
    cwd,
    via,
    remote,
    isFromFile,
  }
  // A variable with several values is any one of them, and `$x` of two words is both.
  const isChoice =
    names.length > 1 &&
    names.length <= limits.choices &&
    /^"?\$/.test(node.name?.text ?? '') &&
    names.every((name) => !name.startsWith('-'))
  const leads = isChoice ? [...names.map((name) => [name]), names] : [names]
  const printed = leads.map((lead) => runSimple({ ...command, argv: [...lead, ...args] }, shell))
  return redirected(printed.join(''), redirects, shell)
}

/** Notes a command and those inside of it, and returns what it prints. */
function runSimple(command: Command, shell: Shell): string {
  if (!emit(command, shell) || command.argv.length === 0) return ''
  changeFolder(command, shell)
  changeVariables(command, shell)
  const body = shell.reading.functions.get(command.argv[0] ?? '')
  if (body !== undefined) return callFunction(body, command, shell)
  const inner = [...unwrap(command, shell.reading), ...aliased(command, shell.reading)]
  const printed = inner.map((found) => runInner(found, command, shell))
  return printedBy(command, printed, shell.reading)
}

/** What an alias of the shell stands for, with the words behind it. */
function aliased({ argv: [name = '', ...args] }: Command, { aliases }: ShellReading): Inner[] {
  const text = aliases.get(name)
  if (text === undefined) return []
  // It is not looked up again in its own text.
  aliases.delete(name)
  return [{ script: `${text} ${args.map(asWord).join(' ')}`, via: [name], isHere: true }]
}

/** Runs what a command runs in turn. */
function runInner(found: Inner, command: Command, shell: Shell): string {
  const via = [...shell.via, ...found.via]
  const remote = shell.remote || (found.remote ?? false)
  const isFromFile = shell.isFromFile || found.isFromFile === true
  const within = { ...inside(shell), via, remote, isFromFile, cwd: found.cwd ?? shell.cwd }
  if ('argv' in found) {
    const { argv, env = [], stdin = command.stdin } = found
    if (shell.depth > limits.depth) shell.reading.unread.push(argv.join(' '))
    // `builtin cd` and its like change this shell's folder.
    const target = found.isHere ? shell : within
    if (shell.depth > limits.depth) return hole
    const all = [...command.env, ...env]
    return runSimple({ ...command, argv, env: all, stdin, redirects: [], cwd: within.cwd, via, remote }, target)
  }
  if (found.isLater) {
    shell.reading.later.push(() => runText(found.script, shell))
    return ''
  }
  if (found.isHere) return runHere(found.script, { ...shell, isFromFile, via }, shell, found.stdin)
  return runText(found.script, { ...withEnv(within, command.env, true), positional: found.positional }, found.stdin)
}

/** Runs a text in the shell itself: where that ends up, it stays. */
function runHere(script: string, within: Shell, shell: Shell, stdin: string | undefined): string {
  const printed = runText(script, within, stdin)
  shell.cwd = within.cwd
  shell.positional = within.positional
  return printed
}

/** False when there are too many. */
function emit(command: Command, { reading }: Shell): boolean {
  reading.spend(5 + command.argv.length)
  if (reading.commands.length < limits.commands) return reading.commands.push(command) > 0
  reading.unread.push(command.argv.join(' '))
  return false
}
