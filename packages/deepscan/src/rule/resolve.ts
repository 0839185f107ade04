// What names stand for: through imports of every form, aliases, destructuring and scopes.
import { type Family, familyOf, type RuledLanguage } from '../syntax/language.ts'
import type { Node } from '../syntax/parser.ts'
import { argumentsOf, isKind } from '../syntax/shape.ts'
import { type Binding, bindingsAround } from './binding.ts'
import { goBinding, goPackage } from './binding-go.ts'
import { javascriptBinding, moduleName } from './binding-javascript.ts'
import { pythonBinding } from './binding-python.ts'
import { memberOf, qualifiedName, type Resolved } from './resolved.ts'

/** A chain of aliases that is longer than this is not followed. */
const stepsMax = 8

/** A name that occurs more often than this in one file is not followed: machine-made text. */
const occurrencesMax = 5_000

type Names = { language: RuledLanguage; root: Node; usesOf: (name: string) => readonly Node[] }

/** Whether an occurrence binds its name, by the family's grammar. */
const bindingByFamily: Record<Family, (at: Node) => Binding | undefined> = {
  javascript: javascriptBinding,
  python: pythonBinding,
  go: goBinding,
  bash: () => undefined,
}

const names = ['identifier', 'shorthand_property_identifier', 'shorthand_property_identifier_pattern']
const members = ['member_expression', 'attribute', 'selector_expression']
const wrappers = ['parenthesized_expression', 'as_expression', 'non_null_expression', 'satisfies_expression']

/** Makes the functions that tell of a source what a node stands for, and which bindings a name has where it is used. */
export function indexMeanings(source: Names) {
  const family = familyOf(source.language)
  const known = new Map<string, readonly Binding[]>()

  function bindingsOf(use: Node): readonly Binding[] {
    const name = use.text()
    let bindings = known.get(name)
    if (bindings === undefined) {
      const uses = source.usesOf(name)
      bindings = uses.length > occurrencesMax ? [] : uses.flatMap((at) => bindingByFamily[family](at) ?? [])
      known.set(name, bindings)
    }
    return bindingsAround(use, bindings)
  }

  function resolveName(node: Node, steps: number): Resolved {
    const bindings = bindingsOf(node)
    if (bindings.length === 0) return resolveFree(node.text())
    const imported = bindings.find(({ meaning }) => meaning.is === 'import')
    // `try: import x except ImportError: x = None` is still the module.
    const rest = bindings.filter(({ meaning }) => !(meaning.is === 'value' && isKind(meaning.value, 'none', 'null')))
    if (imported && rest.every(({ meaning }) => meaning.is === 'import')) return ofBinding(imported, steps)
    const [only, more] = bindings
    return only === undefined || more !== undefined ? 'shadowed' : ofBinding(only, steps)
  }

  function resolveFree(name: string): Resolved {
    if (family !== 'go') return { module: null, name }
    const module = goPackage(source.root, name)
    return module === undefined ? { module: null, name } : { module, name: '' }
  }

  function ofBinding({ meaning }: Binding, steps: number): Resolved {
    if (meaning.is === 'import') return { module: meaning.module, name: meaning.name }
    if (meaning.is !== 'value') return 'shadowed'
    const whole = resolveNode(meaning.value, steps + 1)
    return meaning.path.reduce<Resolved>((part, key) => memberOf(part, key), whole) ?? 'shadowed'
  }

  function resolveCall(call: Node, steps: number): Resolved {
    const callee = call.field('function')
    const [first] = argumentsOf(call)
    if (isKind(callee, 'import') && isKind(first, 'string')) return { module: moduleName(first), name: '' }
    const name = qualifiedName(resolveNode(callee, steps + 1))
    if (name === 'require' && isKind(first, 'string')) return { module: moduleName(first), name: '' }
    return name === 'util.promisify' && first ? resolveNode(first, steps + 1) : undefined
  }

  function resolveNode(node: Node | null | undefined, steps: number): Resolved {
    if (node == null || steps > stepsMax) return undefined
    if (isKind(node, ...names)) return resolveName(node, steps)
    if (isKind(node, ...members)) {
      const property = node.field('property') ?? node.field('attribute') ?? node.field('field')
      const object = node.field('object') ?? node.field('operand')
      return memberOf(resolveNode(object, steps + 1), property?.text() ?? '')
    }
    if (isKind(node, ...wrappers, 'sequence_expression'))
      return resolveNode(node.namedChildren().at(isKind(node, 'sequence_expression') ? -1 : 0), steps + 1)
    if (isKind(node, 'await_expression', 'await')) return resolveNode(node.namedChildren()[0], steps + 1)
    if (isKind(node, 'subscript_expression')) {
      const index = node.field('index')
      return isKind(index, 'string')
        ? memberOf(resolveNode(node.field('object'), steps + 1), index.text().slice(1, -1))
        : undefined
    }
    return isKind(node, 'call_expression') && family === 'javascript' ? resolveCall(node, steps) : undefined
  }

  return { resolve: (node: Node | null | undefined) => resolveNode(node, 0), bindingsOf }
}
