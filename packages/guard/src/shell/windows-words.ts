// The words behind the names of what Windows runs: parameters by any beginning of theirs, switches, paths.

/** Parameters of cmdlets, which any unambiguous beginning names; those that take a value end in `=`. */
const parameters = `path= pspath= literalpath= lp= filepath= destination= name= itemtype= type= value= filter= include=
  exclude= encoding= stream= credential= erroraction= ea= errorvariable= warningaction= inputobject= depth= attributes=
  width= recurse force confirm whatif wi verbose debug nonewline append noclobber passthru directory file hidden`
  .trim()
  .split(/\s+/)

const naming = new Set(['path', 'pspath', 'literalpath', 'lp', 'filepath'])
/** Switches of cmd: `/s`, `/s/q`, `/a:h`. */
const isSwitch = (word: string) => /^(?:\/[a-z?](?::[^/]*)?)+$/i.test(word)

export type Parameters = {
  readonly flags: ReadonlySet<string>
  readonly values: ReadonlyMap<string, string>
  /** What the words name: values of -Path and its kin, and those by place. */
  readonly paths: readonly string[]
}

/** The words behind the name of a cmdlet, or of a command of cmd. */
export function parametersOf(args: readonly string[]): Parameters {
  const flags = new Set<string>()
  const values = new Map<string, string>()
  const named: string[] = []
  const placed: string[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? ''
    const [, typed = '', , given] = /^-([a-z]+)(:(.*))?$/is.exec(word) ?? []
    if (isSwitch(word))
      for (const [, letter = ''] of word.matchAll(/\/([a-z])/gi)) flags.add(`/${letter.toLowerCase()}`)
    else if (typed === '') placed.push(word)
    else {
      const name = nameOfParameter(typed.toLowerCase())
      const isValued = name.endsWith('=')
      const value = given ?? (isValued ? args[++at] : undefined) ?? ''
      if (!isValued && !/^\$?false$/i.test(value)) flags.add(name)
      if (isValued) values.set(name.slice(0, -1), value)
      if (naming.has(name.slice(0, -1))) named.push(value)
    }
  }
  const paths = [...named, ...placed]
  return { flags, values, paths: paths.flatMap((path) => path.split(',')).flatMap((path) => placeNamed(path.trim())) }
}

/** `-r`, `-rec` are -Recurse, and `-rf` of a Unix rm is meant as it stands there. */
function nameOfParameter(typed: string): string {
  const exact = parameters.find((name) => name.replace('=', '') === typed)
  return exact ?? parameters.find((name) => name.startsWith(typed)) ?? (/^[rf]+$/.test(typed) ? 'recurse' : typed)
}

/** Folders of the system, as they are written there. */
const systemNames = ['Windows', 'Users', 'Program Files', 'Program Files (x86)', 'ProgramData', 'System32']

/** A path with slashes, from the root of whatever drive. */
export function placeNamed(path: string): string[] {
  if (path === '') return []
  const slashed = path
    .replace(/^[a-z]:/i, '/')
    .replaceAll('\\', '/')
    .replace(/^\/{2,}/, '/')
  return [slashed.replace(/(?<=^\/|^\/Windows\/)[^/]+/gi, systemName)]
}

const systemName = (name: string) => systemNames.find((one) => one.toLowerCase() === name.toLowerCase()) ?? name
