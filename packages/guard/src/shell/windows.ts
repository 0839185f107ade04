// What Windows calls its programs: cmdlets of PowerShell and commands of cmd, as the Unix programs they stand for.
import type { Call } from './call.ts'
import type { Inner } from './inner.ts'
import { fromCmd, fromPowerShell } from './windows-text.ts'
import { type Parameters, parametersOf, placeNamed } from './windows-words.ts'

type Kin = (given: Parameters) => readonly string[]

const remove: Kin = ({ flags, paths }) => {
  const isRecursive = flags.has('recurse') || flags.has('/s')
  return ['rm', ...(isRecursive ? ['-r'] : []), '--', ...paths]
}
const write: Kin = ({ paths }) => ['tee', '--', ...paths.slice(0, 1)]
const writeAll: Kin = ({ paths }) => ['tee', '--', ...paths]
const carry =
  (program: string): Kin =>
  ({ paths, values }) => [program, '--', ...paths, ...placeNamed(values.get('destination') ?? '')]
const erase: Kin = () => ['mkfs', '/dev/volume']
const power: Kin = () => ['shutdown', 'now']

/** The Unix programs that cmdlets stand for. */
const kin: ReadonlyMap<string, Kin> = new Map(
  Object.entries({
    'remove-item': remove,
    'clear-content': writeAll,
    'set-content': write,
    'add-content': write,
    'out-file': write,
    'tee-object': write,
    'new-item': write,
    'move-item': carry('mv'),
    'rename-item': ({ paths }) => ['mv', '--', ...paths.slice(0, 1), ...paths.slice(0, 1).map((path) => `${path}~`)],
    'copy-item': carry('cp'),
    'format-volume': erase,
    'clear-disk': erase,
    'initialize-disk': erase,
    'stop-computer': power,
    'restart-computer': power,
  } satisfies Record<string, Kin>),
)

/** What cmd calls a removal, wherever its switches say that it is cmd's. */
const removing = new Set(['rd', 'rmdir', 'del', 'erase'])

const shellOf = (name: string) => /^(cmd|powershell|pwsh)(?:\.exe)?$/.exec(name)?.[1]

/** Whether a program is a shell of Windows, or a cmdlet that is known here. */
export const isWindows = (name: string) => shellOf(name) !== undefined || kin.has(name)

/** What a program of Windows does, by its Unix kin; undefined for one that is not known here. */
export function unwrapWindows({ command: { stdin }, name, args }: Call): Inner[] | undefined {
  const shell = shellOf(name)
  if (shell === 'cmd') return unwrapCmd(args)
  if (shell !== undefined) return unwrapPowerShell(args, stdin)
  const isRemoval = removing.has(name) && args.some((word) => /^\/[sqfp](?:\/|$)/i.test(word))
  const told = kin.get(isRemoval ? 'remove-item' : name)
  if (told === undefined) return undefined
  const given = parametersOf(args)
  return given.flags.has('whatif') || given.flags.has('wi') ? [] : [{ argv: told(given), via: [name] }]
}

/** `cmd /c TEXT`: all that follows is the text. */
function unwrapCmd(args: readonly string[]): Inner[] {
  const at = args.findIndex((word) => /^\/{1,2}[ckr]/i.test(word))
  if (at < 0) return []
  const text = [(args[at] ?? '').replace(/^\/{1,2}[ckr]/i, ''), ...args.slice(at + 1)].join(' ')
  return [{ script: fromCmd(text), via: ['cmd /c'] }]
}

/** `powershell -Command TEXT`, where no option is named all that follows, and `-` for what is read. */
function unwrapPowerShell(args: readonly string[], stdin: string | undefined): Inner[] {
  const via = ['powershell -c']
  let at = 0
  for (; at < args.length; at++) {
    const word = (args[at] ?? '').toLowerCase()
    if (/^-e(?:c|n\w*)?$/.test(word)) return [{ script: fromPowerShell(unencoded(args[at + 1] ?? '')), via }]
    if (/^-f(?:i|il|ile)?$/.test(word)) return []
    if (/^[-/]c(?:o\w*|wa)?$/.test(word)) {
      at++
      break
    }
    if (!word.startsWith('-') || word === '-') break
    if (/^-(?:ex|ep|w|ver|in|o|conf|wo|psc|st)/.test(word) && !/^-(?:noe|nop|nol|noni|mta|sta)/.test(word)) at++
  }
  const text = args.slice(at).join(' ')
  const script = text === '' || text === '-' ? stdin : text
  return script === undefined ? [] : [{ script: fromPowerShell(script), via }]
}

/** -EncodedCommand: base64 of UTF-16. */
const unencoded = (text: string) => Buffer.from(text, 'base64').toString('utf16le')
