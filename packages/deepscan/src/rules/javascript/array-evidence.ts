// Whether a value is an array (of numbers), as far as its own file shows. Names are taken by text, not by scope:
// every binding of the name anywhere in the file has to agree, so a doubt means no.
import type { SourceContext } from '../../rule/rule.ts'
import type { Node } from '../../syntax/parser.ts'
import { isKind, operatorOf } from '../../syntax/shape.ts'

type Evidence = { type: RegExp; value: (node: Node) => boolean }

/** A name that occurs more often than this in one file is not judged. */
const occurrencesMax = 500

/** Whether the expression is an array: a literal, or a name that is declared as one wherever it is declared. */
export function isSurelyArray(node: Node | null, context: SourceContext): boolean {
  return isShown(node, context, arrays)
}

/**
 * Whether the expression is an array of numbers. A literal counts only when text order could differ from the order of
 * the numbers.
 */
export function isSurelyNumberArray(node: Node | null, context: SourceContext): boolean {
  return isShown(node, context, numberArrays)
}

const arrays: Evidence = {
  type: /^:\s*(?:readonly\s+)?(?:(?:Readonly)?Array<[^|&]*>|[\w.<>]+(?:\[\])+)$/,
  value: (node) =>
    isKind(node, 'array') ||
    (isKind(node, 'call_expression') && /^(?:Object\.(?:keys|values|entries)|Array\.(?:from|of))\(/.test(node.text())),
}

const numberArrays: Evidence = {
  type: /^:\s*(?:readonly\s+)?(?:(?:Readonly)?Array<\s*number\s*>|number\s*\[\])$/,
  value: (node) => isNumberLiteralArray(node) || isMapToNumber(node),
}

function isShown(node: Node | null, context: SourceContext, evidence: Evidence): boolean {
  if (node === null) return false
  if (!isKind(node, 'identifier')) return evidence.value(node)
  const occurrences = context.usesOf(node.text())
  if (occurrences.length > occurrencesMax) return false
  const bindings = occurrences.flatMap((occurrence) => judgeOccurrence(occurrence, evidence) ?? [])
  return bindings.length > 0 && bindings.every(Boolean)
}

/** Whether the binding shows what is asked; nothing for an occurrence that only uses the name. */
function judgeOccurrence(occurrence: Node, evidence: Evidence): boolean | undefined {
  const parent = occurrence.parent()
  if (isKind(parent, 'variable_declarator')) {
    return parent.field('name')?.id() === occurrence.id() ? judgeDeclared(parent, evidence) : undefined
  }
  if (isKind(parent, 'required_parameter')) return judgeDeclared(parent, evidence)
  if (isKind(parent, 'assignment_expression')) return judgeAssigned(parent, occurrence, evidence)
  if (isKind(parent, 'for_in_statement')) return parent.field('left')?.id() === occurrence.id() ? false : undefined
  if (isKind(parent, 'arrow_function')) return parent.field('parameter')?.id() === occurrence.id() ? false : undefined
  return isKind(parent, ...otherBindings) ? false : undefined
}

function judgeDeclared(declaration: Node, evidence: Evidence): boolean {
  const type = declaration.field('type')
  if (type !== null) return evidence.type.test(type.text())
  const value = declaration.field('value')
  return value !== null && evidence.value(value)
}

/** A reassignment of a typed name is the compiler's business; of an untyped one, the new value has to show it too. */
function judgeAssigned(assignment: Node, occurrence: Node, evidence: Evidence): boolean | undefined {
  if (assignment.field('left')?.id() !== occurrence.id() || operatorOf(assignment) !== '') return undefined
  const value = assignment.field('right')
  return value !== null && evidence.value(value)
}

const otherBindings = [
  'formal_parameters',
  'optional_parameter',
  'rest_pattern',
  'array_pattern',
  'object_pattern',
  'pair_pattern',
  'assignment_pattern',
  'object_assignment_pattern',
  'catch_clause',
  'import_specifier',
  'import_clause',
  'namespace_import',
  'function_declaration',
  'class_declaration',
]

function isNumberLiteralArray(node: Node): boolean {
  if (!isKind(node, 'array')) return false
  const elements = node.namedChildren().filter((child) => !isKind(child, 'comment'))
  const numbers = elements.every((element) => /^-?[\d.]+(?:e\d+)?$/.test(element.text()))
  return numbers && elements.some((element) => !/^\d$/.test(element.text()))
}

function isMapToNumber(node: Node): boolean {
  return isKind(node, 'call_expression') && /\.map\((?:Number|parseFloat|Number\.parseFloat)\)$/.test(node.text())
}
