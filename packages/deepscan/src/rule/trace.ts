// Follows a value back through the function around it: variables, sums, templates, joined lists, formats.
import type { Node } from '../syntax/parser.ts'
import { argumentsOf, isKind, operatorOf } from '../syntax/shape.ts'
import type { Binding } from './binding.ts'
import { qualifiedName, type Resolved } from './resolved.ts'
import { constant, external, joined, oneOf, unknown, type Value } from './value.ts'
import { isConstantName, isExternal, isHarmless, keepsText } from './value-names.ts'

/** How far back a value is followed; further back it is unknown. */
const stepsMax = 24

/** How many expressions are looked at for one question. */
const visitsMax = 400

type Meanings = {
  resolve: (node: Node | null | undefined) => Resolved
  bindingsOf: (use: Node) => readonly Binding[]
  usesOf: (name: string) => readonly Node[]
}

const constants = [
  'string',
  'number',
  'integer',
  'float',
  'true',
  'false',
  'null',
  'none',
  'undefined',
  'regex',
  'interpreted_string_literal',
  'raw_string_literal',
  'int_literal',
  'float_literal',
  'rune_literal',
]
const names = ['identifier', 'shorthand_property_identifier']
const members = [
  'member_expression',
  'attribute',
  'selector_expression',
  'subscript_expression',
  'subscript',
  'index_expression',
]
const wrappers = [
  'spread_element',
  'list_splat',
  'parenthesized_expression',
  'as_expression',
  'non_null_expression',
  'satisfies_expression',
  'await_expression',
  'await',
]
const lists = ['array', 'list', 'tuple', 'set', 'expression_list', 'literal_value', 'literal_element']
const sums = ['binary_expression', 'binary_operator']
const choices = ['ternary_expression', 'conditional_expression']
const calls = ['call_expression', 'call']

/** Makes the function that tells where the value of an expression comes from. */
export function traceValues(meanings: Meanings): (node: Node | null | undefined) => Value {
  return (node) => trace(node, { ...meanings, visits: { count: 0 }, steps: 0 })
}

type Way = Meanings & { visits: { count: number }; steps: number }

function trace(node: Node | null | undefined, way: Way): Value {
  way.visits.count += 1
  if (node == null || way.steps > stepsMax || way.visits.count > visitsMax) return unknown
  const further = { ...way, steps: way.steps + 1 }
  const all = (nodes: readonly Node[]) => nodes.map((each) => trace(each, further))
  if (isKind(node, 'string', 'template_string')) return traceText(node, all)
  if (isKind(node, ...constants)) return constant
  if (isKind(node, ...wrappers)) return trace(node.namedChildren()[0], further)
  if (isKind(node, ...lists, 'boolean_operator')) return oneOf(all(node.namedChildren()))
  if (isKind(node, ...sums)) return traceSum(node, all)
  if (isKind(node, ...choices)) return traceChoice(node, all)
  if (isKind(node, 'unary_expression', 'not_operator', 'comparison_operator', 'unary_operator')) return constant
  if (isKind(node, ...calls)) return traceCall(node, further)
  if (isKind(node, ...members)) return traceMember(node, way)
  return isKind(node, ...names) ? traceName(node, further) : unknown
}

function traceName(node: Node, way: Way): Value {
  const bindings = way.bindingsOf(node)
  if (bindings.length === 0) return isConstantName(node.text()) ? constant : unknown
  const values = bindings.map(({ meaning }) => {
    if (meaning.is !== 'value') return unknown
    const whole = trace(meaning.value, way)
    return meaning.path.length === 0 ? whole : partOf(whole)
  })
  return oneOf([...values, ...traceChanges(node, bindings, way)])
}

/** Later assignments to the name; one that adds to it puts a text together. */
function traceChanges(node: Node, bindings: readonly Binding[], way: Way): readonly Value[] {
  return way.usesOf(node.text()).flatMap((use) => {
    const parent = use.parent()
    const change = isKind(parent, 'assignment_expression', 'augmented_assignment_expression', 'augmented_assignment')
    const isTarget = change && parent?.field('left')?.id() === use.id()
    if (!isTarget || way.bindingsOf(use)[0]?.at.id() !== bindings[0]?.at.id()) return []
    const value = trace(parent?.field('right'), way)
    return [isKind(parent, 'assignment_expression') ? value : joined([value])]
  })
}

function traceMember(node: Node, way: Way): Value {
  const text = node.text()
  if (isExternal(text)) return external
  const name = qualifiedName(way.resolve(node))
  if (name !== undefined && isExternal(name)) return external
  if (isConstantName(name ?? text)) return constant
  const object = node.field('object') ?? node.field('value') ?? node.field('operand')
  const isPart = isKind(object, ...names) && trace(object, { ...way, steps: stepsMax }).origin === 'external'
  return isPart ? external : unknown
}

function traceCall(call: Node, way: Way): Value {
  const callee = call.field('function')
  const name = qualifiedName(way.resolve(callee)) ?? callee?.text() ?? ''
  if (isExternal(`${name}()`) || isExternal(callee?.text() ?? '')) return external
  if (isHarmless(name)) return constant
  const values = () => argumentsOf(call).map((argument) => trace(argument, way))
  if (/path\.join$/i.test(name)) return oneOf(values())
  // `xs.join(' ')`, `' '.join(xs)` and `strings.Join(xs, " ")` put a text together, as formats do.
  if (/(?:^|\.)(?:Sprintf|format|concat|join|Join)$/.test(name)) {
    return joined([...values(), ...(receiverOf(callee, way) ?? [])])
  }
  return keepsText(name) ? (receiverOf(callee, way)?.[0] ?? values()[0] ?? unknown) : unknown
}

/** The value that a method is called of; none where a function of a module is called. */
function receiverOf(callee: Node | null, way: Way): readonly [Value] | undefined {
  const object = callee?.field('object') ?? callee?.field('operand')
  const isModule = isKind(object, ...names) && qualifiedName(way.resolve(object)) !== undefined
  return object && !isModule ? [trace(object, way)] : undefined
}

type TraceAll = (nodes: readonly Node[]) => readonly Value[]

function traceText(node: Node, all: TraceAll): Value {
  const parts = node.namedChildren().filter((child) => isKind(child, 'template_substitution', 'interpolation'))
  return joined(all(parts.flatMap((part) => part.namedChildren()[0] ?? [])))
}

function traceSum(node: Node, all: TraceAll): Value {
  const operator = operatorOf(node)
  const sides = [node.field('left'), node.field('right')].flatMap((side) => side ?? [])
  if (operator === '+') return joined(all(sides))
  if (operator === '%' && isKind(sides[0], 'string')) return joined(all(sides))
  return ['||', '&&', '??'].includes(operator) ? oneOf(all(sides)) : constant
}

function traceChoice(node: Node, all: TraceAll): Value {
  const parts = node.namedChildren()
  const [yes, no] = isKind(node, 'ternary_expression') ? [parts[1], parts[2]] : [parts[0], parts[2]]
  return oneOf(all([yes, no].flatMap((part) => part ?? [])))
}

function partOf(whole: Value): Value {
  return whole.origin === 'external' ? external : unknown
}
