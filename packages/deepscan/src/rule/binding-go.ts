// Which occurrences of a name in Go give it its meaning. Packages are named by their import specs, not by identifiers.
import type { Node } from '../syntax/parser.ts'
import { findEnclosing, isKind } from '../syntax/shape.ts'
import type { Binding } from './binding.ts'

const functions = ['function_declaration', 'method_declaration', 'func_literal']
const blocks = [
  'block',
  'if_statement',
  'for_statement',
  'expression_switch_statement',
  'type_switch_statement',
  'expression_case',
  'default_case',
  'communication_case',
  ...functions,
  'source_file',
]

/** The binding that the occurrence makes, or nothing when it only uses the name. */
export function goBinding(at: Node): Binding | undefined {
  const parent = at.parent()
  if (isKind(parent, 'expression_list')) return listBinding(at, parent)
  if (isKind(parent, 'parameter_declaration', 'variadic_parameter_declaration')) {
    if (parent.field('type')?.id() === at.id()) return undefined
    const scope = findEnclosing(parent, functions)
    return scope && { at, scope, meaning: { is: 'parameter' } }
  }
  if (isKind(parent, 'var_spec', 'const_spec')) {
    const value = parent.field('value')
    if (value !== null && startsWithin(value, at)) return undefined
    const scope = findEnclosing(parent, blocks)
    const [only] = value?.namedChildren() ?? []
    return scope && { at, scope, meaning: only ? { is: 'value', value: only, path: [] } : { is: 'other' } }
  }
  const isDeclared = isKind(parent, 'function_declaration') && parent.field('name')?.id() === at.id()
  const scope = isDeclared ? findEnclosing(parent, ['source_file']) : undefined
  return scope && { at, scope, meaning: { is: 'other' } }
}

function listBinding(at: Node, list: Node): Binding | undefined {
  const statement = list.parent()
  const isNew =
    isKind(statement, 'short_var_declaration', 'range_clause') && statement.field('left')?.id() === list.id()
  if (!isNew) return undefined
  const scope = findEnclosing(statement, blocks)
  const names = list.namedChildren()
  const values = statement.field('right')?.namedChildren() ?? []
  const value =
    isKind(statement, 'short_var_declaration') && names.length === values.length
      ? values[names.findIndex((name) => name.id() === at.id())]
      : undefined
  return scope && { at, scope, meaning: value ? { is: 'value', value, path: [] } : { is: 'other' } }
}

function startsWithin(outer: Node, inner: Node): boolean {
  const [a, b] = [outer.range(), inner.range()]
  return a.start.index <= b.start.index && b.end.index <= a.end.index
}

/** The path of the package that a name stands for by the imports of the file. */
export function goPackage(root: Node, name: string): string | undefined {
  for (const spec of root.findAll({ rule: { kind: 'import_spec' } })) {
    const path = (spec.field('path')?.text() ?? '').slice(1, -1)
    const alias = spec.field('name')?.text()
    const last =
      path
        .replace(/\/v\d+$/, '')
        .split('/')
        .at(-1) ?? ''
    if (alias === name || (alias === undefined && [last, last.replace(/^go-|\.v\d+$/g, '')].includes(name))) return path
  }
  return undefined
}
