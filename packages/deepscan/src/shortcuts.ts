import { resolve } from 'node:path'
import { statIfThere } from '@switchyard/ground/disk'

/** Signs that stand for verbs, as the original has them. */
const signs: ReadonlyMap<string, readonly string[]> = new Map([
  ['?', ['status']],
  ['!', ['exec', '--code']],
  ['+', ['resume']],
  ['x', ['abort']],
])

/** What every tool answers to; a file of that name is no shortcut. */
const everyTool = new Set(['completion', 'help', 'schema', 'version'])

/**
 * The command line that is meant by one whose first word is no verb: a sign stands for a verb, and a path for `init` of
 * it. Undefined when it is neither.
 */
export function expandShortcut(words: readonly string[], cwd: string): readonly string[] | undefined {
  const [first = '', ...rest] = words
  const verb = signs.get(first)
  if (verb !== undefined) return [...verb, ...rest]
  if (everyTool.has(first)) return undefined
  const isPath = /^\.|[/\\]/.test(first) || (first !== '' && !first.startsWith('-') && isThere(resolve(cwd, first)))
  return isPath ? ['init', ...words] : undefined
}

function isThere(path: string): boolean {
  return !path.includes('\0') && statIfThere(path) !== undefined
}
