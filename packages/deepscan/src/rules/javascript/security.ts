import { qualifiedName } from '../../rule/resolved.ts'
import { endOf, type Rule, replaceRange, startOf } from '../../rule/rule.ts'
import type { Node } from '../../syntax/parser.ts'
import { argumentsOf, findEnclosing, isKind } from '../../syntax/shape.ts'
import { functionKinds } from './shape.ts'

const newBuffer: Rule = {
  id: 'js/new-buffer',
  fired: 'pm2 and others of 45 repositories',
  known: ['no-buffer-constructor', 'no-new-buffer', 'no-deprecated-api', 'useNodeBufferFrom'],
  family: 'javascript',
  severity: 'medium',
  confidence: 'high',
  category: 'security',
  title: 'new Buffer means something else for a number and a string',
  message:
    'A number makes a buffer of that size where text was expected, which has leaked memory. ' +
    'Buffer.from and Buffer.alloc say which.',
  calls: ['new Buffer', 'new buffer.Buffer'],
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
  safety: 'safe',
  proof:
    '`Buffer` is the global or that of the module buffer; the kind of the first argument is seen, or an encoding makes both refuse a number.',
}

/** A file that asks whether these exist keeps `new Buffer` for a Node that does not have them. */
const testsForBufferFrom = /\bBuffer\.(?:from|alloc|allocUnsafe)\b(?!\s*\()/

const tlsVerification: Rule = {
  id: 'js/tls-verification-off',
  fired: 'advisories of published packages',
  known: ['detect-insecure-tls', 'no-tls-reject-unauthorized'],
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
      {
        kind: 'assignment_expression',
        all: [{ has: { field: 'left', regex: '\\.rejectUnauthorized$' } }, { has: { field: 'right', kind: 'false' } }],
      },
      {
        kind: 'assignment_expression',
        all: [
          { has: { field: 'left', regex: '\\.NODE_TLS_REJECT_UNAUTHORIZED$' } },
          { has: { field: 'right', regex: '^["\']?0["\']?$' } },
        ],
      },
    ],
  },
  // Below an `if` it hands on what somebody asked for.
  accepts: (match) => findEnclosing(match, ['if_statement', 'ternary_expression'], functionKinds) === undefined,
}

const weakPasswordHash: Rule = {
  id: 'js/weak-password-hash',
  fired: "public applications: `createHash('md5').update(password)`",
  family: 'javascript',
  severity: 'high',
  confidence: 'high',
  category: 'security',
  title: 'A password is hashed with MD5 or SHA-1',
  message:
    'These hashes are so fast that passwords are found again by trying. Use scrypt, or another ' +
    'function made for passwords.',
  mentions: /createHash/,
  calls: ['*.update'],
  accepts: (match) =>
    /createHash\(\s*["'`](?:md5|sha1)["'`]\s*\)\s*\.update$/.test(match.field('function')?.text() ?? '') &&
    /passw(?:or)?d|passphrase|\bpwd\b/i.test(match.field('arguments')?.text() ?? ''),
}

const shellInjection: Rule = {
  id: 'js/shell-injection',
  fired: 'uptime-kuma (`executablePath + " --version"`)',
  known: ['detect-child-process'],
  family: 'javascript',
  severity: 'high',
  confidence: 'low',
  category: 'security',
  title: 'A shell command is put together from values',
  message:
    'A value with a quote, a semicolon or `$(` in it runs as a command. execFile passes values as ' +
    'arguments, without a shell.',
  calls: [
    'child_process.exec',
    'child_process.execSync',
    'child_process.spawn',
    'child_process.spawnSync',
    'child_process.execFile',
    'child_process.execFileSync',
    'shelljs.exec',
  ],
  accepts: (match, { resolve, traceOf }) => {
    const [command, ...more] = argumentsOf(match)
    const { isBuilt, origin } = traceOf(command)
    if (!isBuilt && origin !== 'external') return false
    if (/(?:^|\.)exec(?:Sync)?$/.test(qualifiedName(resolve(match.field('function'))) ?? '')) return true
    return more.some((options) => isKind(options, 'object') && /\bshell['"]?\s*:\s*(?:true|['"])/.test(options.text()))
  },
}

const dynamicEval: Rule = {
  id: 'js/dynamic-eval',
  fired: 'juice-shop and others of 45 repositories',
  known: ['no-eval', 'detect-eval-with-expression', 'noGlobalEval'],
  family: 'javascript',
  severity: 'high',
  confidence: 'medium',
  category: 'security',
  title: 'A value is run as code',
  message:
    'Whoever decides the value decides what the program does. JSON.parse reads data; a table of ' +
    'functions chooses behaviour.',
  calls: ['eval'],
  accepts: (match, { traceOf }) =>
    argumentsOf(match).length > 0 && traceOf(argumentsOf(match)[0]).origin !== 'constant',
}

const secretName = /(?:token|secret|passw(?:or)?d|nonce|csrf|salt|api_?key|session_?id)$/i

const insecureRandom: Rule = {
  id: 'js/insecure-random',
  fired: 'hoppscotch (cnonce)',
  known: ['pseudo-random', 'detect-pseudoRandomBytes'],
  family: 'javascript',
  severity: 'high',
  confidence: 'medium',
  category: 'security',
  title: 'A secret is made with Math.random',
  message:
    'Its values can be predicted from earlier ones. crypto.randomUUID and crypto.randomBytes make values that cannot.',
  calls: ['Math.random'],
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
