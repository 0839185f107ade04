import { endOf, type Rule, replaceRange, startOf } from '../../rule/rule.ts'
import type { Node } from '../../syntax/parser.ts'
import { argumentsOf, contains, findEnclosing, isKind } from '../../syntax/shape.ts'
import { functionKinds, isBuiltString } from './shape.ts'

const newBuffer: Rule = {
  id: 'js/new-buffer',
  family: 'javascript',
  severity: 'medium',
  confidence: 'high',
  category: 'security',
  title: 'new Buffer means something else for a number and a string',
  message:
    'A number makes a buffer of that size where text was expected, which has leaked memory. ' +
    'Buffer.from and Buffer.alloc say which.',
  mentions: /Buffer/,
  matcher: { kind: 'new_expression', has: { field: 'constructor', regex: '^Buffer$' } },
  accepts: (_match, { text }) => !testsForBufferFrom.test(text),
  rewrite: (match) => {
    const callee = match.field('constructor')
    const [first, ...more] = argumentsOf(match)
    if (callee === null || first === undefined) return undefined
    // With an encoding as text, both of them refuse a number.
    const isFrom = isKind(first, 'string', 'template_string', 'array') || isKind(more[0], 'string')
    if (!isFrom && (!isKind(first, 'number') || more.length > 0)) return undefined
    return [replaceRange(startOf(match), endOf(callee), isFrom ? 'Buffer.from' : 'Buffer.alloc')]
  },
}

/** A file that asks whether these exist keeps `new Buffer` for a Node that does not have them. */
const testsForBufferFrom = /\bBuffer\.(?:from|alloc|allocUnsafe)\b(?!\s*\()/

const tlsVerification: Rule = {
  id: 'js/tls-verification-off',
  family: 'javascript',
  severity: 'high',
  confidence: 'high',
  category: 'security',
  title: 'The certificate of the server is not checked',
  message: 'Without the check anyone on the way can read and change what is sent. A private authority belongs in `ca`.',
  mentions: /rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED/,
  matcher: {
    any: [
      {
        kind: 'pair',
        all: [
          { has: { field: 'key', regex: '^["\']?rejectUnauthorized["\']?$' } },
          { has: { field: 'value', kind: 'false' } },
        ],
      },
      { pattern: '$A.rejectUnauthorized = false' },
      { pattern: "$A.NODE_TLS_REJECT_UNAUTHORIZED = '0'" },
      { pattern: '$A.NODE_TLS_REJECT_UNAUTHORIZED = "0"' },
    ],
  },
  // An assignment below an `if` hands on what somebody asked for.
  accepts: (match) =>
    !isKind(match, 'assignment_expression') || findEnclosing(match, ['if_statement'], functionKinds) === undefined,
}

const weakPasswordHash: Rule = {
  id: 'js/weak-password-hash',
  family: 'javascript',
  severity: 'high',
  confidence: 'high',
  category: 'security',
  title: 'A password is hashed with MD5 or SHA-1',
  message:
    'These hashes are so fast that passwords are found again by trying. Use scrypt, or another ' +
    'function made for passwords.',
  mentions: /createHash/,
  matcher: {
    kind: 'call_expression',
    has: { field: 'function', regex: 'createHash\\(\\s*["\'`](?:md5|sha1)["\'`]\\s*\\)\\s*\\.update$' },
  },
  accepts: (match) => /passw(?:or)?d|passphrase|\bpwd\b/i.test(match.field('arguments')?.text() ?? ''),
}

const shellInjection: Rule = {
  id: 'js/shell-injection',
  family: 'javascript',
  severity: 'high',
  confidence: 'low',
  category: 'security',
  title: 'A shell command is put together from values',
  message:
    'A value with a quote, a semicolon or `$(` in it runs as a command. execFile passes values as ' +
    'arguments, without a shell.',
  mentions: /exec/,
  matcher: {
    kind: 'call_expression',
    has: { field: 'function', regex: '^(?:(?:child_process|childProcess|cp)\\.)?exec(?:Sync)?$' },
  },
  accepts: (match, { root }) => isBuiltString(argumentsOf(match)[0]) && importsChildProcess(root),
}

function importsChildProcess(root: Node): boolean {
  return root.find({ rule: { kind: 'string', regex: '^["\'](?:node:)?child_process["\']$' } }) !== null
}

const dynamicEval: Rule = {
  id: 'js/dynamic-eval',
  family: 'javascript',
  severity: 'high',
  confidence: 'medium',
  category: 'security',
  title: 'A value is run as code',
  message:
    'Whoever decides the value decides what the program does. JSON.parse reads data; a table of ' +
    'functions chooses behaviour.',
  mentions: /eval/,
  matcher: { pattern: 'eval($A)' },
  accepts: (match) => {
    const code = match.getMatch('A')
    return !isKind(code, 'string') && !(isKind(code, 'template_string') && !contains(code, 'template_substitution'))
  },
}

const secretName = /(?:token|secret|passw(?:or)?d|nonce|csrf|salt|api_?key|session_?id)$/i

const insecureRandom: Rule = {
  id: 'js/insecure-random',
  family: 'javascript',
  severity: 'high',
  confidence: 'medium',
  category: 'security',
  title: 'A secret is made with Math.random',
  message:
    'Its values can be predicted from earlier ones. crypto.randomUUID and crypto.randomBytes make values that cannot.',
  mentions: /random/,
  matcher: { pattern: 'Math.random()' },
  accepts: (match) => secretName.test(destinationOf(match)),
}

/** The name that the value goes to: a variable, a property or the function around it. */
function destinationOf(node: Node): string {
  for (const ancestor of node.ancestors()) {
    if (isKind(ancestor, 'variable_declarator', ...functionKinds)) return ancestor.field('name')?.text() ?? ''
    if (isKind(ancestor, 'assignment_expression')) return ancestor.field('left')?.text() ?? ''
    if (isKind(ancestor, 'pair')) return ancestor.field('key')?.text() ?? ''
  }
  return ''
}

export const jsSecurity: readonly Rule[] = [
  newBuffer,
  tlsVerification,
  weakPasswordHash,
  shellInjection,
  dynamicEval,
  insecureRandom,
]
