// Which occurrences of a name in Python give it its meaning.
import type { Node } from '../syntax/parser.ts'
import { findEnclosing, isKind } from '../syntax/shape.ts'
import type { Binding, Meaning } from './binding.ts'

const scopes = ['function_definition', 'lambda', 'class_definition', 'module']
const comprehensions = ['list_comprehension', 'set_comprehension', 'dictionary_comprehension', 'generator_expression']
const patterns = ['pattern_list', 'tuple_pattern', 'list_pattern', 'list_splat_pattern', 'dictionary_splat_pattern']
const parameterKinds = ['default_parameter', 'typed_parameter', 'typed_default_parameter']

/** The binding that the occurrence makes, or nothing when it only uses the name. */
export function pythonBinding(at: Node): Binding | undefined {
  const parent = at.parent()
  if (parent === null) return undefined
  if (isKind(parent, 'dotted_name')) return importBinding(at, parent)
  if (isKind(parent, 'aliased_import'))
    return parent.field('alias')?.id() === at.id() ? importBinding(at, parent) : undefined
  if (isKind(parent, 'function_definition', 'class_definition')) {
    if (parent.field('name')?.id() !== at.id()) return undefined
    return within(at, findEnclosing(parent, scopes), { is: 'other' })
  }
  return patternBinding(at)
}

function within(at: Node, scope: Node | undefined, meaning: Meaning): Binding | undefined {
  return scope && { at, scope, meaning }
}

function importBinding(at: Node, parent: Node): Binding | undefined {
  const statement = findEnclosing(at, ['import_statement', 'import_from_statement'])
  const scope = findEnclosing(at, scopes)
  if (!statement) return undefined
  const imported = isKind(parent, 'aliased_import') ? parent.field('name') : parent
  if (isKind(statement, 'import_from_statement')) {
    const module = statement.field('module_name')
    if (module === null || imported === null || imported.id() === module.id()) return undefined
    const isAliasedPart = isKind(parent, 'dotted_name') && isKind(parent.parent(), 'aliased_import')
    if (isAliasedPart) return undefined
    return within(at, scope, { is: 'import', module: module.text(), name: imported.text() })
  }
  if (isKind(parent, 'aliased_import')) {
    return within(at, scope, { is: 'import', module: imported?.text() ?? '', name: '' })
  }
  if (isKind(parent.parent(), 'aliased_import') || parent.child(0)?.id() !== at.id()) return undefined
  return within(at, scope, { is: 'import', module: at.text(), name: '' })
}

function patternBinding(at: Node): Binding | undefined {
  let node = at
  let parent = node.parent()
  const isPart = isKind(parent, ...patterns)
  for (; isKind(parent, ...patterns); parent = parent.parent()) node = parent
  if (parent === null) return undefined
  if (isKind(parent, 'assignment', 'augmented_assignment', 'named_expression')) {
    const target = parent.field(isKind(parent, 'named_expression') ? 'name' : 'left')
    if (target?.id() !== node.id()) return undefined
    const value = parent.field(isKind(parent, 'named_expression') ? 'value' : 'right')
    if (isKind(parent, 'assignment') && value === null) return undefined
    const isPlain = value !== null && !isPart && !isKind(parent, 'augmented_assignment')
    return within(at, findEnclosing(parent, scopes), isPlain ? { is: 'value', value, path: [] } : { is: 'other' })
  }
  if (isKind(parent, 'for_statement', 'for_in_clause')) {
    if (parent.field('left')?.id() !== node.id()) return undefined
    const scope = findEnclosing(parent, isKind(parent, 'for_statement') ? scopes : [...comprehensions, ...scopes])
    return within(at, scope, { is: 'other' })
  }
  if (isKind(parent, 'as_pattern_target', 'case_pattern', 'global_statement', 'nonlocal_statement'))
    return isKind(parent, 'global_statement', 'nonlocal_statement')
      ? undefined
      : within(at, findEnclosing(parent, scopes), { is: 'other' })
  return parameterBinding(at, node, parent)
}

function parameterBinding(at: Node, node: Node, parent: Node): Binding | undefined {
  const isDirect = isKind(parent, 'parameters', 'lambda_parameters')
  const isNamed = isKind(parent, ...parameterKinds) && (parent.field('name') ?? parent.child(0))?.id() === node.id()
  if (!isDirect && !isNamed) return undefined
  return within(at, findEnclosing(parent, ['function_definition', 'lambda']), { is: 'parameter' })
}
