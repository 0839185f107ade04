// Names that PowerShell and cmd have for programs, places and what stands in a word, as a POSIX shell has them.
import { hole } from './command.ts'
import { placeNamed } from './windows-words.ts'

/** Stands for what the text does not tell. */
export const unknown = '"$LOOP_GUARD_UNKNOWN"'
/** The variable that stands for what comes through a pipe. */
export const item = '"$loop_item"'

/** Other names of what is known here. */
const aliases: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'remove-item': 'ri rm rd rmdir del erase',
    'copy-item': 'cp cpi copy',
    'move-item': 'mv mi move',
    'rename-item': 'ren rni',
    'set-content': 'sc',
    'add-content': 'ac',
    'clear-content': 'clc',
    'new-item': 'ni',
    'tee-object': 'tee',
    'format-volume': 'format',
    'get-childitem': 'gci ls dir',
    'get-item': 'gi',
    cd: 'sl chdir set-location push-location pushd',
    curl: 'iwr irm wget invoke-webrequest invoke-restmethod',
    echo: 'write-output write-host',
    eval: 'iex invoke-expression',
  }).flatMap(([name, others]) => others.split(' ').map((other) => [other, name] as const)),
)
/** Names of PowerShell that cmd has, too. */
const cmdToo = new Set(['rd', 'rmdir', 'del', 'erase', 'copy', 'move', 'chdir', 'pushd', 'format', 'ren', 'dir'])

/** Variables of the environment whose value is a place. */
const places: ReadonlyMap<string, string> = new Map(
  Object.entries({
    userprofile: '"$HOME"',
    home: '"$HOME"',
    homepath: '"$HOME"',
    temp: '/tmp',
    tmp: '/tmp',
    systemdrive: "''",
    homedrive: "''",
    systemroot: '/Windows',
    windir: '/Windows',
    programfiles: "'/Program Files'",
    programdata: '/ProgramData',
    cd: '"$PWD"',
  }),
)

/** A text as a word of a POSIX shell. */
export const quoted = (text: string): string =>
  text
    .split(hole)
    .map((part) => (part === '' ? '' : `'${part.replaceAll("'", "'\\''")}'`))
    .join(unknown)

/** What stands in a word as it is: a path with slashes, but for a text of several words. */
export function literal(text: string, isStart: boolean): string {
  const isPath = !/[\s"'(){}<>|;]/.test(text) || /^(?:[a-z]:)?\.{0,2}\\/i.test(text)
  if (!isPath) return quoted(text)
  const slashed = isStart && /^[a-z]:(?:[\\/]|$)/i.test(text) ? (placeNamed(text)[0] ?? '') : text
  const tilde = isStart && /^~(?=[\\/]|$)/.test(text) ? '~' : ''
  const rest = slashed.slice(tilde.length).replaceAll('\\', '/')
  return tilde + (tilde !== '' && rest.startsWith('/') ? `/${quoted(rest.slice(1))}` : quoted(rest))
}

/** The place that a variable of the environment names. */
export const placeOfVariable = (name: string) => places.get(name.toLowerCase())

/** The name of the program that a word calls; none where only a variable tells. */
export function programOf(text: string, isBare: boolean, isCmd: boolean): string {
  const name = text.replace(/^.*[\\/](?=[^\\/]+\.(?:exe|cmd|bat)$)/i, '').replace(/\.(?:exe|cmd|bat)$/i, '')
  if (text.includes('$') || (!isBare && /\s/.test(name))) return ''
  const lower = name.toLowerCase()
  const isAlias = !isCmd || cmdToo.has(lower)
  return (
    (isAlias ? aliases.get(lower) : undefined) ?? (/^[a-z]+-[a-z]+$/i.test(name) ? lower : name.replaceAll('\\', '/'))
  )
}

/** The value of a variable of PowerShell, its name in small letters and as it was found. */
export function variableOf(name: string, found: string): string {
  if (name === '_' || name === 'psitem') return item
  if (name === 'null') return '/dev/null'
  if (name === 'true' || name === 'false') return name
  if (name === 'home' || name === 'pwd') return `"$${name.toUpperCase()}"`
  const [, scope, bare = name] = /^(\w+):(\w+)$/.exec(name) ?? []
  if (scope === 'env') return placeOfVariable(bare) ?? `"$${found.replace(/[${}]/g, '').slice(4)}"`
  return /^\w+$/.test(bare) && !/^\d/.test(bare) ? `"$${bare}"` : unknown
}
