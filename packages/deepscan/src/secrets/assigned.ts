import type { FoundSecret } from './found-secret.ts'

const name =
  '(?:passw(?:or)?d|passphrase|secret|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?token|access[_-]?token|token|credentials?)'

/** A literal given to a name that says what it is, as programs, settings and environment files write it. */
const assigned = new RegExp(`${name}["'\`]?\\]?\\s{0,4}(?::=|=>|[:=])\\s{0,4}(["'\`])([^\\s"'\`]{8,400})\\1`, 'gi')
const inSettings =
  /^[ \t]*(?:export[ \t]+)?[A-Z0-9_]{0,40}(?:PASSWORD|PASSWD|SECRET|TOKEN|API_KEY|ACCESS_KEY)=([^\s"'`$<{(]{8,400})[ \t]*\r?$/gm

/** What people write where a secret is to be put in. */
const standIn =
  /\\|\(\?|\[|\$\{|\$\(|<|>|\{\{|%[({s]|\.\.\.|\*\*\*|xxx|example|change|your|dummy|placeholder|insert|test|sample|process\.env|localhost/i

/** Literals that hold letters and digits, of names such as `password` and `api_key`; no words, paths or stand-ins. */
export function findAssigned(text: string): readonly FoundSecret[] {
  const literals = [...text.matchAll(assigned)].map((match) => placeOf(match, match[2] ?? ''))
  const settings = [...text.matchAll(inSettings)].map((match) => placeOf(match, match[1] ?? ''))
  return [...literals, ...settings].filter(({ start, end }) => isSecretLike(text.slice(start, end)))
}

function placeOf({ index, 0: whole }: RegExpExecArray, value: string): FoundSecret {
  const start = index + whole.lastIndexOf(value)
  return { rule: 'assigned', start, end: start + value.length }
}

const bitsMin = 2.7

function isSecretLike(value: string): boolean {
  if (!/\d/.test(value) || !/[a-z]/i.test(value) || standIn.test(value)) return false
  return !/^(?:[a-z]+:\/\/|[./~@#])/i.test(value) && bitsPerCharacter(value) >= bitsMin
}

/** Shannon's entropy of the characters. */
function bitsPerCharacter(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  const shares = [...counts.values()].map((count) => count / value.length)
  return -shares.reduce((sum, share) => sum + share * Math.log2(share), 0)
}
