// The text of a query as a query. Whatever is wrong with it ends in one line that points at the place.

import { nearest } from '@switchyard/cli-kit/nearest'
import { Failure } from '@switchyard/ground/failure'
import { comparisonFor, faultOfValue, operatorsFor, queryNames } from './fields.ts'
import {
  bareValue,
  type Condition,
  compared,
  conditions,
  joined,
  negated,
  type Operator,
  operators,
  type Query,
} from './query.ts'

const charactersMax = 10_000
/** Groups within groups. */
const depthMax = 100
const words = ['and', 'or', 'not']

/**
 * The query that a text describes: comparisons such as `priority<=2`, conditions such as `blocked`, AND (which may be
 * left out), OR, NOT and parentheses. Exits 2, naming the place and what was expected there.
 */
export function parseQuery(text: string): Query {
  if (text.length > charactersMax) {
    throw new Failure('usage', `expected a query of at most ${charactersMax} characters, got ${text.length}`)
  }
  const reader = new Reader(text)
  const query = parseAny(reader, 0)
  if (!reader.isAtEnd()) throw reader.expected('the end, AND or OR')
  return query
}

function parseAny(reader: Reader, depth: number): Query {
  const parts = [parseAll(reader, depth)]
  while (reader.takeWord('or')) parts.push(parseAll(reader, depth))
  return joined('any', parts)
}

function parseAll(reader: Reader, depth: number): Query {
  const parts = [parseOne(reader, depth)]
  while (reader.takeWord('and') || reader.hasMore()) parts.push(parseOne(reader, depth))
  return joined('all', parts)
}

function parseOne(reader: Reader, depth: number): Query {
  let isNegated = false
  while (reader.takeWord('not')) isNegated = !isNegated
  const one = reader.takeSign('(') ? parseGroup(reader, depth + 1) : parseComparison(reader)
  return isNegated ? negated(one) : one
}

function parseGroup(reader: Reader, depth: number): Query {
  if (depth > depthMax) throw reader.expected(`at most ${depthMax} groups within each other`)
  const group = parseAny(reader, depth)
  if (!reader.takeSign(')')) throw reader.expected('a closing parenthesis')
  return group
}

function parseComparison(reader: Reader): Query {
  const place = reader.place()
  const name = reader.takeName()
  if (name === '' || words.includes(name.toLowerCase())) {
    throw reader.expected('a field such as status, or a condition such as blocked', place)
  }
  const condition = conditions.find((known) => known === name)
  if (condition) return parseCondition(reader, condition)
  const kind = comparisonFor(name)
  if (!kind) throw unknownName(reader, name, place)
  const operatorPlace = reader.place()
  const operator = reader.takeOperator()
  const known = operatorsFor(kind)
  if (operator === undefined || !known.includes(operator)) {
    throw reader.expected(`one of ${known.join(' ')} behind ${name}`, operatorPlace)
  }
  const values = takeValues(reader, (value, at) => {
    const fault = faultOfValue(kind, operator, value)
    if (fault !== undefined) throw reader.expected(`${fault} behind ${name}${operator}`, at)
  })
  if (values.length > 1 && (operator.startsWith('<') || operator.startsWith('>'))) {
    throw reader.expected(`one value behind ${name}${operator}`, operatorPlace)
  }
  return compared(name, operator, ...values)
}

function parseCondition(reader: Reader, condition: Condition): Query {
  const place = reader.place()
  if (reader.takeOperator() !== undefined) throw reader.expected(`no value, as ${condition} is true or not,`, place)
  return { kind: 'is', condition }
}

function takeValues(reader: Reader, check: (value: string, place: number) => void): string[] {
  const values: string[] = []
  do {
    const place = reader.place()
    const value = reader.takeValue()
    check(value, place)
    values.push(value)
  } while (reader.takeSign(','))
  return values
}

function unknownName(reader: Reader, name: string, place: number): Failure {
  const meant = nearest(name, [...queryNames, ...conditions])
  const hint = meant ? `did you mean ${meant}?` : `fields are ${queryNames.join(', ')}, meta.KEY`
  return reader.expected('a field', place, hint)
}

/** The text and how far it is read. */
class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Where the next thing begins, in characters. */
  place(): number {
    this.#at += /^\s*/.exec(this.#rest())?.[0].length ?? 0
    return this.#at
  }

  isAtEnd(): boolean {
    return this.place() === this.#text.length
  }

  /** Whether another part of an AND begins here. */
  hasMore(): boolean {
    return !this.isAtEnd() && this.#text[this.#at] !== ')' && !this.#isWord('or')
  }

  takeWord(word: string): boolean {
    return this.#isWord(word) && this.#take(/^\w+/) !== undefined
  }

  takeSign(sign: '(' | ')' | ','): boolean {
    this.place()
    if (this.#text[this.#at] !== sign) return false
    this.#at += 1
    return true
  }

  takeName(): string {
    this.place()
    return this.#take(/^[^\s()"',:=<>!~]+/) ?? ''
  }

  takeOperator(): Operator | undefined {
    this.place()
    const operator = operators.find((sign) => this.#text.startsWith(sign, this.#at))
    this.#at += operator?.length ?? 0
    return operator
  }

  /** A value as it stands, or in quotes of either kind, in which a backslash keeps the next character. */
  takeValue(): string {
    const place = this.place()
    const quote = this.#text[place]
    if (quote !== '"' && quote !== "'") {
      const bare = this.#take(bareValue)
      if (bare === undefined) throw this.expected('a value', place)
      return bare
    }
    const quoted = this.#take(quote === '"' ? /^"(?:[^"\\]|\\[\s\S])*"/ : /^'(?:[^'\\]|\\[\s\S])*'/)
    if (quoted === undefined) throw this.expected(`a closing ${quote}`, this.#text.length)
    return quoted.slice(1, -1).replace(/\\([\s\S])/g, '$1')
  }

  /** The failure of having found something else here, or at `place`. */
  expected(what: string, place = this.place(), hint = 'see tissue help list'): Failure {
    const [, came = ''] = /^\s*([^\s()"',]+|[\s\S])/.exec(this.#text.slice(place)) ?? []
    const got = came === '' ? 'the end' : `"${came.slice(0, 40)}"`
    const where = `at character ${place + 1} of the query`
    return new Failure('usage', `expected ${what} ${where}, got ${got}`.replace(/\s+/g, ' '), { hint })
  }

  #rest(): string {
    return this.#text.slice(this.#at)
  }

  #isWord(word: string): boolean {
    const place = this.place()
    const [found = ''] = /^\w+(?=[\s("']|$)/.exec(this.#text.slice(place)) ?? []
    return found.toLowerCase() === word
  }

  #take(pattern: RegExp): string | undefined {
    const [found] = pattern.exec(this.#rest()) ?? []
    this.#at += found?.length ?? 0
    return found
  }
}
