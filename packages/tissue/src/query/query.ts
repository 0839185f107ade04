// A question about issues, as `--query` asks it and as the flags of a list are understood.

/** How a field is compared. `:` is `=`, but for texts, where it is `~`: somewhere within. */
export const operators = ['<=', '>=', '!=', '<', '>', '=', ':', '~'] as const
export type Operator = (typeof operators)[number]

/** What is true or not of an issue, and needs no value. */
export const conditions = ['ready', 'blocked', 'held', 'overdue', 'conflict'] as const
export type Condition = (typeof conditions)[number]

/** One comparison; with several `values` one of them has to fit, and with `!=` none. */
export type Comparison = {
  readonly kind: 'compare'
  readonly field: string
  readonly operator: Operator
  readonly values: readonly string[]
}

/** What an issue must be. Everything is asked for by `{ kind: 'all', of: [] }`. */
export type Query =
  | Comparison
  | { readonly kind: 'is'; readonly condition: Condition }
  | { readonly kind: 'all' | 'any'; readonly of: readonly Query[] }
  | { readonly kind: 'not'; readonly of: Query }

/** Several queries as one; groups of the same kind melt into it, so that one meaning has one form. */
export function joined(kind: 'all' | 'any', parts: readonly Query[]): Query {
  const of = parts.flatMap((part) => (part.kind === kind ? part.of : [part]))
  const [only] = of
  return only && of.length === 1 ? only : { kind, of }
}

/** The opposite of a query. */
export function negated(query: Query): Query {
  return query.kind === 'not' ? query.of : { kind: 'not', of: query }
}

/** A comparison as a query. */
export function compared(field: string, operator: Operator, ...values: string[]): Query {
  return { kind: 'compare', field, operator, values }
}

/** The fields that a query compares. */
export function fieldsIn(query: Query): string[] {
  if (query.kind === 'compare') return [query.field]
  if (query.kind === 'is') return []
  return query.kind === 'not' ? fieldsIn(query.of) : query.of.flatMap(fieldsIn)
}

/** A query as its text, which parses to the same; empty for the one that asks for everything. */
export function printQuery(query: Query): string {
  switch (query.kind) {
    case 'is':
      return query.condition
    case 'compare':
      return `${query.field}${query.operator}${query.values.map(printValue).join(',')}`
    case 'not':
      return `NOT ${printPart(query.of)}`
    case 'all':
      return query.of.map(printPart).join(' AND ')
    case 'any':
      return query.of.map(printPart).join(' OR ')
  }
}

function printPart(query: Query): string {
  return query.kind === 'all' || query.kind === 'any' ? `(${printQuery(query)})` : printQuery(query)
}

/** What ends a value that stands without quotes. */
export const bareValue = /^[^\s()"',]+/

function printValue(value: string): string {
  const [bare = ''] = bareValue.exec(value) ?? []
  return bare === value && value !== '' ? value : `"${value.replace(/["\\]/g, '\\$&')}"`
}
