import { forEachChild, type SyntaxNode } from 'unbash'
import type { Spend } from './budget.ts'

/** Whether a function pipes itself into itself, which fills the machine with processes. */
export function isForkBomb(node: Extract<SyntaxNode, { type: 'Function' }>, spend: Spend): boolean {
  const name = node.name.value
  let found = false
  const look = (child: SyntaxNode) => {
    spend()
    if (child.type === 'Pipeline') {
      const calls = child.commands.filter((command) => command.type === 'Command' && command.name?.value === name)
      if (calls.length > 1) found = true
    }
    forEachChild(child, look)
  }
  look(node.body)
  return found
}
