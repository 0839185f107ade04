// Turns zod schemas into plain JavaScript that says of a value whether it fits: without an import, without eval, and what two schemas
// have in common stands there once. Values are those of JSON, and undefined. It knows the kinds of schemas that our records have; of
// any other it says where it stands.

const isObject = '(v) => typeof v === "object" && v !== null && !Array.isArray(v)'

/**
 * The source of a module that exports what `exported` has: for a check that `checkOf` made a function that does without zod, for
 * `checksOf` an object of them, for any other value its JSON. Throws an Error of one line at a schema that it does not know.
 */
export function compileModule(exported) {
  const shared = { names: new Map(), tables: [] }
  // Lists come last: one may have the words of a table that a check has made.
  const entries = Object.entries(exported).sort(([, one], [, other]) => Array.isArray(one) - Array.isArray(other))
  const exports = entries.map(([name, value]) => `export const ${name} = ${textOf(value, name, shared)}\n`)
  const constants = [...shared.names].map(([text, name]) => ({ name, line: `const ${name} = ${text}\n` }))
  return constants.reduce(inlined, [...constants.map(({ line }) => line), ...exports].join(''))
}

/** The source with a function written out where it is called, if that is one place, and its argument is `v` there too. */
function inlined(source, { name }) {
  const uses = [...source.matchAll(new RegExp(`\\b${name}\\b`, 'g'))]
  const [, line, body] = new RegExp(`(const ${name} = \\(v\\) => (.*)\n)`).exec(source) ?? []
  if (uses.length !== 2 || body === undefined || !source.includes(`${name}(v)`)) return source
  return source.replace(line, '').replace(`${name}(v)`, () => `(${body})`)
}

function textOf(value, path, shared) {
  if (typeof value === 'function' && value.schema) return compile(value.schema, path, shared)
  const fields = Object.entries(value ?? {})
  if (!fields.some(([, inner]) => typeof inner === 'function')) return jsonOf(value, path, shared)
  return `{ ${fields.map(([name, inner]) => `${JSON.stringify(name)}: ${textOf(inner, `${path}.${name}`, shared)}`).join(', ')} }`
}

/** The name of the one constant that has this text. */
function share(text, kind, { names }) {
  if (!names.has(text)) names.set(text, `${kind}${names.size}`)
  return names.get(text)
}

function jsonOf(value, path, shared) {
  const text = typeof value === 'function' ? undefined : JSON.stringify(value)
  if (text === undefined) throw new Error(`${path}: expected a check made by checkOf, or JSON`)
  const table = shared.tables.find(({ rows }) => `[${rows.map(({ word }) => word)}]` === text)
  if (table) return share(`/* @__PURE__ */ Object.keys(${table.name})`, 'list', shared)
  return Array.isArray(value) ? share(text, 'list', shared) : text
}

/** The name of a function that says whether its argument fits a schema. */
function compile({ _zod: { def } }, path, shared) {
  const terms = Object.hasOwn(kinds, def.type) && !def.coerce ? kinds[def.type](def, path, shared) : undefined
  if (terms === undefined) refuse(path, `${def.coerce ? 'coerce.' : ''}${def.type}`)
  const rules = (def.checks ?? []).map((check) => ruleOf(check._zod.def, def.type, path, shared))
  const kind = terms.length === 1 && rules.length > 0 ? [`${functionOf(terms, shared)}(v)`] : terms
  return functionOf([...kind, ...rules], shared)
}

function functionOf(terms, shared) {
  const alone = terms.length === 1 ? /^(\w+)\(v\)$/.exec(terms[0]) : null
  if (alone) return alone[1]
  return share(`(v) => ${terms.join(' && ') || 'true'}`, 'check', shared)
}

/** What a value of each kind of schema is: terms that all hold of `v`. */
const kinds = {
  unknown: () => [],
  null: () => ['v === null'],
  boolean: () => ['typeof v === "boolean"'],
  string: ({ format }, path) => [format ? refuse(path, format) : 'typeof v === "string"'],
  number: ({ format }, path) => [format ? integer(format, path) : 'Number.isFinite(v)'],
  literal: ({ values }, path) => [anyOf(values.map((value) => `v === ${literal(value, path)}`))],
  enum: ({ entries }, path, shared) => [`${jsonOf(Object.values(entries), path, shared)}.includes(v)`],
  optional: ({ innerType }, path, shared) => orElse('v === undefined', compile(innerType, path, shared), shared),
  nullable: ({ innerType }, path, shared) => orElse('v === null', compile(innerType, path, shared), shared),
  union: (def, path, shared) =>
    def.discriminator
      ? toldApart(def, path, shared)
      : [anyOf(def.options.map((option) => `${compile(option, path, shared)}(v)`))],
  array: ({ element }, path, shared) => ['Array.isArray(v)', `v.every(${compile(element, `${path}[]`, shared)})`],
  record: ({ keyType, valueType }, path, shared) => {
    if (keyType._zod.def.type !== 'string' || keyType._zod.def.checks?.length)
      refuse(path, 'record with a rule for names')
    const check = compile(valueType, `${path}{}`, shared)
    return [object(shared), ...(takesAll(check, shared) ? [] : [`Object.values(v).every(${check})`])]
  },
  object: (def, path, shared) => [object(shared), ...closed(def, path, shared), ...fieldsOf(def, path, shared)],
}

const anyOf = (terms) => (terms.length === 1 ? terms[0] : `(${terms.join(' || ')})`)
const orElse = (term, check, shared) => (takesAll(check, shared) ? [] : [anyOf([term, `${check}(v)`])])
const takesAll = (check, shared) => check === functionOf([], shared)
const object = (shared) => `${share(isObject, 'check', shared)}(v)`

/** That a strict object has no field but its own. */
function closed({ catchall, shape }, path, shared) {
  const others = catchall?._zod.def.type ?? 'unknown'
  if (others === 'unknown') return []
  if (others !== 'never') refuse(path, 'object with a rule for other fields')
  return [`Object.keys(v).every((name) => ${jsonOf(Object.keys(shape), path, shared)}.includes(name))`]
}

/** A term for each field, and one more for a field that is there although it may be undefined. */
function fieldsOf({ shape }, path, shared) {
  return Object.entries(shape).flatMap(([name, field]) => {
    const key = JSON.stringify(name)
    const there = field._zod.optin === undefined && takesUndefined(field) ? [`${key} in v`] : []
    const check = compile(field, `${path}.${name}`, shared)
    return takesAll(check, shared) ? there : [...there, `${check}(v[${key}])`]
  })
}

function takesUndefined({ _zod: { def } }) {
  return (
    def.type === 'unknown' || [def.innerType, ...(def.options ?? [])].some((inner) => inner && takesUndefined(inner))
  )
}

/** Objects that a word in one field tells apart: what all have in common is looked at first, then what their word asks for. */
function toldApart({ discriminator, options, unionFallback }, path, shared) {
  if (unionFallback) refuse(path, 'union with a fallback')
  const field = `v[${JSON.stringify(discriminator)}]`
  const branches = options.map((option) => {
    const words = [...option._zod.propValues[discriminator]].map((word) => text(word, path))
    const { def } = option._zod
    const inner = `${path}(${words})`
    const isPlain = def.type === 'object' && !def.checks?.length
    const terms = isPlain
      ? [...closed(def, inner, shared), ...fieldsOf(def, inner, shared)]
      : [`${compile(option, inner, shared)}(v)`]
    return { words, terms }
  })
  const common = branches[0].terms.filter((term) => branches.every(({ terms }) => terms.includes(term)))
  const own = branches.map(({ words, terms }) => {
    const proven = words.length === 1 ? `${functionOf([`v === ${words[0]}`], shared)}(${field})` : undefined
    return terms.filter((term) => term !== proven && !common.includes(term))
  })
  const checks = sharedHeads(own, shared).map((terms) => functionOf(terms, shared))
  const rows = branches.flatMap(({ words }, at) => words.map((word) => ({ word, check: checks[at] })))
  const table = tableOf(rows, shared)
  const isWord = `${functionOf(['typeof v === "string"'], shared)}(${field})`
  const head = functionOf([object(shared), ...common, isWord], shared)
  return [`${head}(v)`, `Object.hasOwn(${table}, ${field})`, `${table}[${field}](v)`]
}

/** Lists of terms in which two that begin many of them have become one. */
function sharedHeads(lists, shared) {
  const heads = lists.map((terms) => functionOf(terms.slice(0, 2), shared))
  return lists.map((terms, at) => {
    const isCommon = heads.filter((head) => head === heads[at]).length > 2
    return isCommon && terms.length > 2 ? [`${heads[at]}(v)`, ...terms.slice(2)] : terms
  })
}

/** The name of a table of checks by word; one that has all rows of another is made of that. */
function tableOf(rows, shared) {
  const has = (all, { word, check }) => all.some((row) => row.word === word && row.check === check)
  const part = shared.tables.find((table) => table.rows.every((row) => has(rows, row)))
  const own = rows.filter((row) => !part || !has(part.rows, row)).map(({ word, check }) => `${word}: ${check}`)
  if (part && own.length === 0) return part.name
  const name = share(`{ ${[...(part ? [`...${part.name}`] : []), ...own].join(', ')} }`, 'table', shared)
  shared.tables.push({ name, rows })
  return name
}

/** What a rule of a schema asks for beside its kind: a length, a bound, a pattern. Zod counts characters, not UTF-16. */
function ruleOf(def, type, path, shared) {
  const { check, minimum, maximum, format, pattern, inclusive, value } = def
  if (check === 'min_length' && type === 'string' && minimum === 1) return 'v !== ""'
  if (check === 'min_length' && type === 'array') return `v.length >= ${minimum}`
  if (check === 'max_length' && type === 'array') return `v.length <= ${maximum}`
  if (check === 'max_length')
    return `(v.length <= ${maximum} || v.length <= ${2 * maximum} && [...v].length <= ${maximum})`
  if (check === 'greater_than') return `v >${inclusive ? '=' : ''} ${literal(value, path)}`
  if (check === 'less_than') return `v <${inclusive ? '=' : ''} ${literal(value, path)}`
  if (check === 'number_format') return integer(format, path)
  if (format === 'regex' && !/[gy]/.test(pattern.flags)) return `${share(String(pattern), 'pattern', shared)}.test(v)`
  return refuse(path, `${type} with the rule ${format ?? check}`)
}

function integer(format, path) {
  return format === 'safeint' ? 'Number.isSafeInteger(v)' : refuse(path, format)
}

function literal(value, path) {
  const isPlain = value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value)
  return isPlain ? JSON.stringify(value) : refuse(path, `literal ${String(value)}`)
}

function text(value, path) {
  return typeof value === 'string' ? JSON.stringify(value) : refuse(path, `union told apart by ${String(value)}`)
}

function refuse(path, what) {
  throw new Error(
    `${path}: cannot compile ${what}; teach it to packages/build/compile-check.mjs, or use zod where nothing is hot`,
  )
}
