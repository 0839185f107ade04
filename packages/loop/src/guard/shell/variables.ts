import { forEachChild, type SyntaxNode } from 'unbash'
import { hole } from './command.ts'
import { limits, type Reading } from './reading.ts'

/**
 * Notes everything that is assigned to a variable anywhere in a script, whatever the order: what holds for any of the
 * values is what the guard asks.
 */
export function noteVariables(node: SyntaxNode, reading: Reading, depth = 0): void {
  if (depth > limits.depth * 8) return
  const note = (name: string, ...values: NonNullable<ReturnType<Reading['variables']['get']>>) =>
    reading.variables.set(name, [...(reading.variables.get(name) ?? []), ...values])
  if (node.type === 'Assignment') {
    const values = node.value.type === 'Word' ? [node.value] : node.value.elements
    note(node.name, ...(node.append ? [hole] : []), ...values)
  } else if (node.type === 'For' || node.type === 'Select') {
    note(node.name.value, ...(node.wordlist ?? [hole]))
  } else if (node.type === 'Command' && ['read', 'mapfile', 'readarray', 'getopts'].includes(node.name?.value ?? '')) {
    for (const arg of node.args) if (arg.type === 'Word') note(arg.value, hole)
  } else if (node.type === 'Command' && node.name?.value === 'printf') {
    const at = node.args.findIndex((arg) => arg.text === '-v')
    const variable = node.args[at + 1]
    const values = node.args.slice(at + 2).flatMap((arg) => (arg.type === 'Word' ? [arg] : []))
    if (at >= 0 && variable?.type === 'Word') note(variable.value, hole, ...values)
  }
  forEachChild(node, (child) => noteVariables(child, reading, depth + 1))
}
