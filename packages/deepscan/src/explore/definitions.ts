import type { Language } from '../syntax/language.ts'
import type { Node } from '../syntax/parser.ts'
import { isKind } from '../syntax/shape.ts'
import { definitionKinds, type SymbolKind } from './symbol-kinds.ts'

/** A definition in a text; offsets are UTF-16 units, `depth` says below how many others it stands. */
export type Definition = {
  name: string
  kind: SymbolKind
  start: number
  end: number
  depth: number
  /** Whether other files can mean it by its name. */
  isShared: boolean
  signature: string
}

const signatureUnitsMax = 160

/** A method with a shorter name is one of many of that name. */
const methodUnitsMin = 5

/** The definitions of a tree in their order: functions, classes, types; not those inside a function. */
export function definitionsOf(root: Node, language: Language): readonly Definition[] {
  const kinds = definitionKinds[language]
  const isShared = sharing(language, root)
  const found: Definition[] = []
  const around: Definition[] = []
  for (const node of root.findAll({ rule: { any: Object.keys(kinds).map((kind) => ({ kind })) } })) {
    const { start, end } = node.range()
    while ((around.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= start.index) around.pop()
    if (around.at(-1)?.kind === 'function') continue
    const kind = kinds[String(node.kind())]
    const name = kind === undefined ? undefined : nameOf(node)
    if (kind === undefined || name === undefined) continue
    const outer = around[0]
    const definition = {
      isShared: outer === undefined ? isShared(node, name) : outer.isShared && name.length > methodUnitsMin,
      name,
      kind,
      start: start.index,
      end: end.index,
      depth: around.length,
      signature: signatureOf(node),
    }
    found.push(definition)
    around.push(definition)
  }
  return found
}

/** The name that a node defines; undefined for one that only mentions something, or gives a name to a value. */
function nameOf(node: Node): string | undefined {
  if (isKind(node, 'variable_declarator')) {
    const value = node.field('value')
    const isFunction = isKind(value, 'arrow_function', 'function_expression', 'generator_function', 'class')
    return isFunction && isKind(node.field('name'), 'identifier') ? node.field('name')?.text() : undefined
  }
  if (isKind(node, 'struct_specifier', 'union_specifier', 'enum_specifier', 'class_specifier')) {
    return node.field('body') === null ? undefined : node.field('name')?.text()
  }
  const name = node.field('name')
  return name === null ? declaredName(node.field('declarator')) : name.text().replace(/\s+/g, '')
}

/** The name inside a declarator of C, which may stand in pointers, lists of parameters and brackets. */
function declaredName(declarator: Node | null): string | undefined {
  for (let node = declarator, steps = 0; node !== null && steps < 20; steps++) {
    const inner: Node | null = node.field('declarator')
    if (inner === null) return /^[\w:~]+/.exec(node.text())?.[0].split('::').at(-1)
    node = inner
  }
  return undefined
}

/** What stands before the body, on one line. */
function signatureOf(node: Node): string {
  const declared = isKind(node, 'variable_declarator') ? (node.field('value') ?? node) : node
  const body = declared.field('body')
  const text = node.text()
  const length = body === null ? text.indexOf('{') : body.range().start.index - node.range().start.index
  const head = (length < 0 ? text : text.slice(0, length)).replace(/\s+/g, ' ').replace(/(?: |\{|:|=>|=)+$/, '')
  return head.length > signatureUnitsMax ? `${head.slice(0, signatureUnitsMax)}…` : head
}

type IsShared = (node: Node, name: string) => boolean

/** JavaScript shares what it exports, a script without modules everything; Python, what has no underscore first. */
function sharing(language: Language, root: Node): IsShared {
  if (language === 'python') return (_, name) => !name.startsWith('_')
  if (language !== 'javascript' && language !== 'typescript' && language !== 'tsx') return () => true
  const text = root.text()
  if (!/^\s*export\b|\bexports\b/m.test(text)) return () => !/^import\b/m.test(text)
  const lists = [
    ...text.matchAll(/\bexport\s*(?:type\s*)?\{([^}]*)\}|\bexports\s*=\s*([\w$]+|\{[^}]*\})|\bexports\.([\w$]+)/g),
  ]
  const named = new Set(lists.flatMap(([list]) => list.match(/[\w$]+/g) ?? []))
  return (node, name) => named.has(name) || isExported(node)
}

function isExported(node: Node): boolean {
  const parent = node.parent()
  return (
    isKind(parent, 'export_statement') ||
    (isKind(parent, 'lexical_declaration') && isKind(parent.parent(), 'export_statement'))
  )
}
