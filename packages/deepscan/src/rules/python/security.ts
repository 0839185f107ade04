import { type Rule, replaceNode } from '../../rule/rule.ts'
import type { Node } from '../../syntax/parser.ts'
import { argumentsOf, isKind } from '../../syntax/shape.ts'
import { findKeyword, isBuiltString } from './shape.ts'

const yamlLoad: Rule = {
  id: 'py/yaml-load',
  family: 'python',
  severity: 'high',
  confidence: 'high',
  category: 'security',
  title: 'yaml.load without a loader can run code',
  message:
    'A document can name Python objects to build, so whoever wrote it decides what runs. ' +
    'yaml.safe_load reads data only.',
  mentions: /yaml/,
  matcher: { pattern: 'yaml.load($A)' },
  accepts: (match, { root }) =>
    !isKind(match.getMatch('A'), 'keyword_argument', 'list_splat', 'dictionary_splat') && isPyYaml(root),
  rewrite: (match) => {
    const name = match.field('function')?.field('attribute')
    return name ? [replaceNode(name, 'safe_load')] : undefined
  },
}

/** Whether `yaml` is the module, and not an object such as the `YAML()` of ruamel. */
function isPyYaml(root: Node): boolean {
  const isImported =
    root.find({ rule: { kind: 'import_statement', regex: '^import\\s+(?:.*,\\s*)?yaml\\s*(?:,|$)' } }) !== null
  return isImported && root.find({ rule: { kind: 'assignment', has: { field: 'left', regex: '^yaml$' } } }) === null
}

const requestsVerify: Rule = {
  id: 'py/tls-verification-off',
  family: 'python',
  severity: 'high',
  confidence: 'high',
  category: 'security',
  title: 'The certificate of the server is not checked',
  message:
    'Without the check anyone on the way can read and change what is sent. A private authority belongs in `verify`.',
  mentions: /verify/,
  matcher: {
    kind: 'call',
    has: { field: 'function', regex: '^(?:requests|httpx)\\.(?:get|post|put|patch|delete|head|options|request)$' },
  },
  accepts: (match) => findKeyword(match, 'verify')?.text() === 'False',
  anchor: (match) => findKeyword(match, 'verify')?.parent() ?? match,
}

const shellInjection: Rule = {
  id: 'py/shell-injection',
  family: 'python',
  severity: 'high',
  confidence: 'medium',
  category: 'security',
  title: 'A shell command is put together from values',
  message:
    'A value with a quote, a semicolon or `$(` in it runs as a command. A list of arguments without a ' +
    'shell passes values as they are.',
  mentions: /subprocess|os/,
  matcher: {
    kind: 'call',
    has: {
      field: 'function',
      regex: '^(?:subprocess\\.(?:run|call|Popen|check_call|check_output)|os\\.(?:system|popen))$',
    },
  },
  accepts: (match) => {
    const isShell = match.field('function')?.text().startsWith('os.') || findKeyword(match, 'shell')?.text() === 'True'
    return isShell && isBuiltString(argumentsOf(match)[0])
  },
}

const builtEval: Rule = {
  id: 'py/built-eval',
  family: 'python',
  severity: 'high',
  confidence: 'medium',
  category: 'security',
  title: 'Code is put together from values and run',
  message: 'Whoever decides the values decides what runs. ast.literal_eval and json.loads read data.',
  mentions: /eval|exec/,
  matcher: { any: [{ pattern: 'eval($A)' }, { pattern: 'exec($A)' }] },
  accepts: (match) => {
    const code = match.getMatch('A')
    return code !== null && (isBuiltString(code) || /^(?:raw_)?input\(/.test(code.text()))
  },
}

const weakPasswordHash: Rule = {
  id: 'py/weak-password-hash',
  family: 'python',
  severity: 'high',
  confidence: 'high',
  category: 'security',
  title: 'A password is hashed with MD5 or SHA-1',
  message:
    'These hashes are so fast that passwords are found again by trying. Use hashlib.scrypt, or ' +
    'another function made for passwords.',
  mentions: /hashlib/,
  matcher: { kind: 'call', has: { field: 'function', regex: '^hashlib\\.(?:md5|sha1)$' } },
  accepts: (match) => /passw(?:or)?d|passphrase|\bpwd\b/i.test(match.field('arguments')?.text() ?? ''),
}

const insecureTempfile: Rule = {
  id: 'py/insecure-tempfile',
  family: 'python',
  severity: 'medium',
  confidence: 'high',
  category: 'security',
  title: 'The name of the temporary file can be taken by another',
  message:
    'tempfile.mktemp only gives a name; before the file is made, another program can put a link ' +
    'there. mkstemp makes the file.',
  mentions: /mktemp/,
  matcher: { kind: 'call', has: { field: 'function', regex: '^tempfile\\.mktemp$' } },
}

export const pySecurity: readonly Rule[] = [
  yamlLoad,
  requestsVerify,
  shellInjection,
  builtEval,
  weakPasswordHash,
  insecureTempfile,
]
