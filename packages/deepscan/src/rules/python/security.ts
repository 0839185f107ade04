import { qualifiedName } from '../../rule/resolved.ts'
import { type Rule, replaceNode } from '../../rule/rule.ts'
import { argumentsOf, isKind } from '../../syntax/shape.ts'
import { findKeyword } from './shape.ts'

const yamlLoad: Rule = {
  id: 'py/yaml-load',
  fired: 'pygoat and others of 45 repositories',
  known: ['S506', 'B506', 'yaml_load'],
  family: 'python',
  severity: 'high',
  confidence: 'high',
  category: 'security',
  title: 'yaml.load without a loader can run code',
  message:
    'A document can name Python objects to build, so whoever wrote it decides what runs. ' +
    'yaml.safe_load reads data only.',
  calls: ['yaml.load'],
  accepts: (match) => {
    const [document, more] = argumentsOf(match)
    return more === undefined && !isKind(document, 'keyword_argument', 'list_splat', 'dictionary_splat')
  },
  rewrite: (match) => {
    const name = match.field('function')?.field('attribute')
    return name ? [replaceNode(name, 'safe_load')] : undefined
  },
  safety: 'safe',
  proof:
    'The call names no loader and `yaml` is the module; documents with tags for Python objects are refused afterwards, which is the purpose.',
}

const requestsVerify: Rule = {
  id: 'py/tls-verification-off',
  fired: 'httpie (update_warnings.py)',
  known: ['S501', 'B501', 'request_with_no_cert_validation'],
  family: 'python',
  severity: 'high',
  confidence: 'high',
  category: 'security',
  title: 'The certificate of the server is not checked',
  message:
    'Without the check anyone on the way can read and change what is sent. A private authority belongs in `verify`.',
  calls: ['requests', 'httpx'].flatMap((module) =>
    ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'request'].map((name) => `${module}.${name}`),
  ),
  accepts: (match) => findKeyword(match, 'verify')?.text() === 'False',
  anchor: (match) => findKeyword(match, 'verify')?.parent() ?? match,
}

const shellInjection: Rule = {
  id: 'py/shell-injection',
  fired: '1 of 19 findings read in 45 repositories',
  known: [
    'S602',
    'S605',
    'S609',
    'B602',
    'B605',
    'B609',
    'subprocess_popen_with_shell_equals_true',
    'start_process_with_a_shell',
  ],
  family: 'python',
  severity: 'high',
  confidence: 'medium',
  category: 'security',
  title: 'A shell command is put together from values',
  message:
    'A value with a quote, a semicolon or `$(` in it runs as a command. A list of arguments without a ' +
    'shell passes values as they are.',
  calls: [
    ...['run', 'call', 'Popen', 'check_call', 'check_output', 'getoutput', 'getstatusoutput'].map(
      (name) => `subprocess.${name}`,
    ),
    'os.system',
    'os.popen',
  ],
  accepts: (match, { resolve, traceOf }) => {
    const name = qualifiedName(resolve(match.field('function'))) ?? ''
    const isShell = /^os\.|output$/.test(name) && name !== 'subprocess.check_output'
    const value = traceOf(findKeyword(match, 'args') ?? argumentsOf(match)[0])
    return (isShell || findKeyword(match, 'shell')?.text() === 'True') && (value.isBuilt || value.origin === 'external')
  },
}

const builtEval: Rule = {
  id: 'py/built-eval',
  fired: '45 repositories that were read',
  known: ['S307', 'S102', 'B307', 'B102', 'eval-used', 'W0123', 'exec-used', 'W0122'],
  family: 'python',
  severity: 'high',
  confidence: 'medium',
  category: 'security',
  title: 'Code is put together from values and run',
  message: 'Whoever decides the values decides what runs. ast.literal_eval and json.loads read data.',
  calls: ['eval', 'exec'],
  accepts: (match, { traceOf }) => {
    const [code] = argumentsOf(match)
    const value = traceOf(code)
    return code !== undefined && (value.isBuilt || value.origin === 'external')
  },
}

const weakPasswordHash: Rule = {
  id: 'py/weak-password-hash',
  fired: 'pygoat (a password by MD5)',
  known: ['S324', 'B303', 'B324', 'hashlib'],
  family: 'python',
  severity: 'high',
  confidence: 'high',
  category: 'security',
  title: 'A password is hashed with MD5 or SHA-1',
  message:
    'These hashes are so fast that passwords are found again by trying. Use hashlib.scrypt, or ' +
    'another function made for passwords.',
  calls: ['hashlib.md5', 'hashlib.sha1'],
  accepts: (match) => /passw(?:or)?d|passphrase|\bpwd\b/i.test(match.field('arguments')?.text() ?? ''),
}

const insecureTempfile: Rule = {
  id: 'py/insecure-tempfile',
  fired: '45 repositories that were read',
  known: ['S306', 'B306', 'mktemp_q'],
  family: 'python',
  severity: 'medium',
  confidence: 'high',
  category: 'security',
  title: 'The name of the temporary file can be taken by another',
  message:
    'tempfile.mktemp only gives a name; before the file is made, another program can put a link ' +
    'there. mkstemp makes the file.',
  calls: ['tempfile.mktemp'],
}

export const pySecurity: readonly Rule[] = [
  yamlLoad,
  requestsVerify,
  shellInjection,
  builtEval,
  weakPasswordHash,
  insecureTempfile,
]
