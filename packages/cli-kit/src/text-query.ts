/**
 * What a message must contain. `text` is lower case with single spaces; with `isPrefix` a word must begin with it.
 * Nothing at all is asked by `{ kind: 'all', of: [] }`.
 */
export type TextQuery =
  | { kind: 'text'; text: string; isPrefix: boolean }
  | { kind: 'all' | 'any'; of: readonly TextQuery[] }
  | { kind: 'not'; of: TextQuery }

type Token = { kind: 'word' | 'phrase' | 'open' | 'close'; text: string }

/** Groups within groups; a query with more is taken literally. */
const depthMax = 100

/**
 * The query that a text describes: words (all must be there), "a phrase", `begin*`, AND, OR, NOT, and parentheses. No
 * text is a syntax error: what has no meaning where it stands, an operator without its operand or a parenthesis
 * without its other half, is literal.
 */
export function parseTextQuery(text: string): TextQuery {
  const grouped = tokenise(text, true)
  return parseTokens(isBalanced(grouped) ? grouped : tokenise(text, false))
}

/** Parentheses group only at the beginning and the end of words, so that `main()` stays a word. */
function tokenise(text: string, hasGroups: boolean): Token[] {
  const tokens: Token[] = []
  for (let rest = text.trimStart(); rest !== ''; rest = rest.trimStart()) {
    const [whole = '', quoted] = /^"([^"]+)"/.exec(rest) ?? []
    if (quoted !== undefined) {
      tokens.push({ kind: 'phrase', text: quoted })
      rest = rest.slice(whole.length)
    } else if (hasGroups && rest.startsWith('(')) {
      tokens.push({ kind: 'open', text: '(' })
      rest = rest.slice(1)
    } else {
      const [word = ''] = /^\S+/.exec(rest) ?? []
      const closing = hasGroups ? surplusAtEnd(word) : 0
      const kept = word.slice(0, word.length - closing)
      if (kept !== '') tokens.push({ kind: 'word', text: kept })
      for (let at = 0; at < closing; at++) tokens.push({ kind: 'close', text: ')' })
      rest = rest.slice(word.length)
    }
  }
  return tokens
}

/** How many parentheses at the end of a word close none of its own. */
function surplusAtEnd(word: string): number {
  const own = word.split('(').length - 1
  const closing = word.split(')').length - 1
  const atEnd = word.length - word.replace(/\)+$/, '').length
  return Math.max(0, Math.min(atEnd, closing - own))
}

function isBalanced(tokens: readonly Token[]): boolean {
  let depth = 0
  for (const [at, { kind }] of tokens.entries()) {
    if (kind === 'open') depth += 1
    if (kind === 'close') depth -= 1
    const isEmptyGroup = kind === 'close' && tokens[at - 1]?.kind === 'open'
    if (depth < 0 || depth > depthMax || isEmptyGroup) return false
  }
  return depth === 0
}

function parseTokens(tokens: readonly Token[]): TextQuery {
  let at = 0
  const isAtEnd = () => at >= tokens.length || tokens[at]?.kind === 'close'
  /** Whether an operator stands here that has something behind it. */
  const isOperator = (name: string) => {
    const [here, next] = tokens.slice(at, at + 2)
    return here?.kind === 'word' && here.text === name && next !== undefined && next.kind !== 'close'
  }
  const parseAny = (): TextQuery => {
    const of = [parseAll()]
    while (isOperator('OR')) {
      at += 1
      of.push(parseAll())
    }
    return joined('any', of)
  }
  const parseAll = (): TextQuery => {
    const of = isAtEnd() ? [] : [parseOne()]
    while (!isAtEnd() && !isOperator('OR')) {
      if (isOperator('AND')) at += 1
      of.push(parseOne())
    }
    return joined('all', of)
  }
  const parseOne = (): TextQuery => {
    let isNegated = false
    for (; isOperator('NOT'); at += 1) isNegated = !isNegated
    const one = parseOperand()
    return isNegated ? { kind: 'not', of: one } : one
  }
  const parseOperand = (): TextQuery => {
    const token = tokens[at]
    at += 1
    if (token?.kind !== 'open') return literal(token)
    const group = parseAny()
    at += 1
    return group
  }
  return parseAny()
}

function joined(kind: 'all' | 'any', of: readonly TextQuery[]): TextQuery {
  const [only] = of
  return only && of.length === 1 ? only : { kind, of }
}

function literal(token: Token | undefined): TextQuery {
  const { kind = 'phrase', text = '' } = token ?? {}
  const begun = kind === 'word' ? /^(.*[\p{L}\p{N}_])\*$/u.exec(text)?.[1] : undefined
  return { kind: 'text', text: foldText(begun ?? text), isPrefix: begun !== undefined }
}

/** A text as it is compared: in lower case, with one space for each stretch of white space. */
export function foldText(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ')
}
