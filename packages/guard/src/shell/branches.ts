// Control flow: what is only run perhaps leaves what it sets, and what was set before, both possible.
import { type Assignment, forEachChild, type SyntaxNode } from 'unbash'
import { type Shell, unknown } from './reading.ts'
import { assign, join, scopeIn } from './scope.ts'
import { mayRepeat } from './variables.ts'
import { fieldsOf, ownValue, type RunScript } from './words.ts'

type Of<T extends SyntaxNode['type']> = Extract<SyntaxNode, { type: T }>

/** Runs a node in a shell, and returns what it prints. */
export type RunNode = (node: SyntaxNode, shell: Shell, stdin: string | undefined) => string

/** The shell itself, where what it sets is not yet settled. */
const branchOf = (shell: Shell): Shell => ({ ...shell, depth: shell.depth + 1, scope: scopeIn(shell.scope) })

function settle(shell: Shell, branches: readonly Shell[], isExhaustive: boolean): void {
  join(
    shell.scope,
    branches.map(({ scope }) => scope),
    isExhaustive,
    (name) => ownValue(name, shell),
  )
  const last = branches.at(-1)
  if (last === undefined) return
  shell.cwd = last.cwd
  shell.positional = last.positional
}

/** `a && b || c`: the first is run, the others perhaps. */
export function runAndOr({ commands, operators }: Of<'AndOr'>, shell: Shell, stdin: string | undefined, run: RunNode) {
  const [first, ...others] = commands
  let printed = first === undefined ? '' : run(first, shell, stdin)
  const branch = branchOf(shell)
  for (const [at, node] of others.entries()) {
    if (operators[at] === '&&') printed += run(node, branch, stdin)
    else {
      const other = branchOf(branch)
      printed += run(node, other, stdin)
      settle(branch, [other], false)
    }
  }
  settle(shell, [branch], false)
  return printed
}

export function runIf(node: Of<'If'>, shell: Shell, stdin: string | undefined, run: RunNode): string {
  let printed = run(node.clause, shell, stdin)
  const bodies = [node.then, ...node.elif.flatMap(({ clause, then }) => [clause, then]), node.else]
  const branches = bodies.flatMap((body) => {
    if (body === undefined) return []
    const branch = { ...branchOf(shell) }
    printed += run(body, branch, stdin)
    return [branch]
  })
  settle(shell, branches, node.else !== undefined && node.elif.length === 0)
  return printed
}

export function runCase(node: Of<'Case'>, shell: Shell, stdin: string | undefined, run: RunNode): string {
  let printed = run(node.word, shell, stdin)
  const branches = node.items.map(({ pattern, body }) => {
    for (const word of pattern) run(word, shell, stdin)
    const branch = branchOf(shell)
    printed += run(body, branch, stdin)
    return branch
  })
  settle(shell, branches, false)
  return printed
}

/** `for` and `select`: the variable is any of the words. */
export function runFor(
  node: Of<'For' | 'Select'>,
  shell: Shell,
  stdin: string | undefined,
  run: RunNode,
  texts: RunScript,
) {
  const words = node.wordlist?.flatMap((word) => fieldsOf(word, shell, texts)) ?? shell.positional?.slice(1)
  const branch = branchOf(shell)
  assign(branch.scope, node.name.value, words ?? unknown)
  mayRepeat(assignmentsIn(node.body), branch, texts)
  const printed = run(node.body, branch, stdin)
  settle(shell, [branch], false)
  return printed
}

/** A loop, whose condition is run at least once. */
export function runWhile(
  { clause, body }: Of<'While'>,
  shell: Shell,
  stdin: string | undefined,
  run: RunNode,
  texts: RunScript,
) {
  const branch = branchOf(shell)
  mayRepeat(assignmentsIn(body), branch, texts)
  let printed = run(clause, branch, stdin)
  printed += run(body, branch, stdin)
  settle(shell, [branch], false)
  return printed
}

/** What a loop's body assigns, but for what belongs to one command, a shell of its own or a function. */
function assignmentsIn(node: SyntaxNode): readonly Assignment[] {
  const found: Assignment[] = []
  const look = (child: SyntaxNode) => {
    if (child.type === 'Command') {
      if (child.name === undefined) for (const item of child.prefix) if (item.type === 'Assignment') found.push(item)
      for (const arg of child.args) if (arg.type === 'Assignment') found.push(arg)
    } else if (child.type !== 'Subshell' && child.type !== 'Function') forEachChild(child, look)
  }
  look(node)
  return found
}
