// Which occurrences of a name in JavaScript and TypeScript give it its meaning.
import type { Node } from '../syntax/parser.ts'
import { findEnclosing, isKind } from '../syntax/shape.ts'
import type { Binding, Meaning } from './binding.ts'

const functions = [
  'arrow_function',
  'function_expression',
  'function_declaration',
  'generator_function',
  'generator_function_declaration',
  'method_definition',
]
const blocks = ['statement_block', 'for_statement', 'for_in_statement', 'switch_body', 'class_static_block', 'program']
const patterns = ['object_pattern', 'array_pattern', 'pair_pattern', 'rest_pattern', 'assignment_pattern']
const defaults = ['assignment_pattern', 'object_assignment_pattern']

/** The binding that the occurrence makes, or nothing when it only uses the name. */
export function javascriptBinding(at: Node): Binding | undefined {
  const parent = at.parent()
  if (parent === null) return undefined
  if (isKind(parent, 'import_specifier', 'namespace_import', 'import_clause', 'import_require_clause'))
    return importBinding(at, parent)
  if (isKind(parent, ...functions, 'class_declaration', 'class', 'enum_declaration', 'internal_module'))
    return declarationBinding(at, parent)
  const { top, path } = climbPattern(at)
  return top === undefined ? undefined : patternBinding(at, top, path)
}

function importBinding(at: Node, parent: Node): Binding | undefined {
  const scope = findEnclosing(at, ['program'])
  const statement = findEnclosing(at, ['import_statement'])
  const source = statement?.field('source') ?? parent.field('source')
  if (!scope || !source) return undefined
  const alias = parent.field('alias')
  if (alias !== null && alias.id() !== at.id()) return undefined
  const name = isKind(parent, 'import_specifier') ? (parent.field('name')?.text() ?? '') : ''
  return { at, scope, meaning: { is: 'import', module: moduleName(source), name: name === 'default' ? '' : name } }
}

/** The name of a module as rules write it: without quotes and without `node:`. */
export function moduleName(source: Node): string {
  return source
    .text()
    .slice(1, -1)
    .replace(/^node:/, '')
}

function declarationBinding(at: Node, parent: Node): Binding | undefined {
  const isName = parent.field('name')?.id() === at.id()
  const isParameter = parent.field('parameter')?.id() === at.id()
  if (isParameter) return { at, scope: parent, meaning: { is: 'parameter' } }
  if (!isName || isKind(parent, 'method_definition')) return undefined
  const isInner = isKind(parent, 'function_expression', 'generator_function', 'class')
  const scope = isInner ? parent : findEnclosing(parent, blocks)
  return scope && { at, scope, meaning: { is: 'other' } }
}

/** The pattern that the name stands in, as a whole, and the keys that lead to the name. */
function climbPattern(at: Node): { top: Node | undefined; path: readonly string[] } {
  const path: string[] = []
  let node = at
  if (isKind(at, 'shorthand_property_identifier_pattern')) path.unshift(at.text())
  for (let parent = node.parent(); isKind(parent, ...patterns, ...defaults); parent = parent.parent()) {
    if (isKind(parent, ...defaults) && parent.field('left')?.id() !== node.id()) return { top: undefined, path }
    if (isKind(parent, 'pair_pattern')) {
      if (parent.field('value')?.id() !== node.id()) return { top: undefined, path }
      path.unshift(parent.field('key')?.text() ?? '')
    }
    if (isKind(parent, 'array_pattern', 'rest_pattern')) path.unshift('[]')
    node = parent
  }
  return { top: node, path }
}

function patternBinding(at: Node, top: Node, path: readonly string[]): Binding | undefined {
  const parent = top.parent()
  if (isKind(parent, 'variable_declarator')) return declaratorBinding(at, top, parent, path)
  const isParameter = isKind(parent, 'formal_parameters', 'required_parameter', 'optional_parameter')
  if (isParameter && !(isKind(parent, 'required_parameter') && parent.field('value')?.id() === top.id())) {
    const scope = findEnclosing(parent, [...functions, 'function_signature', 'function_type'])
    return scope && { at, scope, meaning: { is: 'parameter' } }
  }
  if (isKind(parent, 'catch_clause') && parent.field('parameter')?.id() === top.id())
    return { at, scope: parent, meaning: { is: 'other' } }
  if (isKind(parent, 'for_in_statement') && parent.field('left')?.id() === top.id() && parent.field('kind') !== null)
    return { at, scope: parent, meaning: { is: 'other' } }
  return undefined
}

function declaratorBinding(at: Node, top: Node, declarator: Node, path: readonly string[]): Binding | undefined {
  if (declarator.field('name')?.id() !== top.id()) return undefined
  const isVar = isKind(declarator.parent(), 'variable_declaration')
  const scope = findEnclosing(declarator, isVar ? [...functions, 'program'] : blocks)
  const value = declarator.field('value')
  const meaning: Meaning = value === null ? { is: 'other' } : { is: 'value', value, path }
  return scope && { at, scope, meaning }
}
