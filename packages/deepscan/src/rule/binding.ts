import type { Node } from '../syntax/parser.ts'
import { endOf, startOf } from './rule.ts'

/** Where a name gets its meaning. */
export type Meaning =
  /** A member of a module; `name` is `''` for the module itself. */
  | { is: 'import'; module: string; name: string }
  /** A value, or by `path` a part of it that was taken out by a pattern. */
  | { is: 'value'; value: Node; path: readonly string[] }
  | { is: 'parameter' }
  /** A function, a class, a loop variable and whatever else is made in the file. */
  | { is: 'other' }

/** An occurrence that gives a name its meaning, and the node within which it has it. */
export type Binding = { at: Node; scope: Node; meaning: Meaning }

/** The bindings of a name that hold where `use` stands: those of the innermost scope around it. */
export function bindingsAround(use: Node, bindings: readonly Binding[]): readonly Binding[] {
  const at = startOf(use)
  const holding = bindings.filter(
    ({ scope }) => startOf(scope) <= at && at < Math.max(endOf(scope), startOf(scope) + 1),
  )
  const sizes = holding.map(({ scope }) => endOf(scope) - startOf(scope))
  const smallest = Math.min(...sizes)
  return holding.filter((_, index) => sizes[index] === smallest)
}
