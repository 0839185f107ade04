// Git's own command line: what stands before the subcommand.
import { type Command, hole } from './command.ts'
import { pathFrom } from './path-from.ts'

export type GitCall = {
  /** Where git works, after -C and --work-tree. */
  readonly cwd: string
  readonly config: ReadonlyMap<string, string>
  /** The folder of git that is named, as --git-dir or GIT_DIR. */
  readonly gitDir: string | undefined
  readonly subcommand: string
  readonly args: readonly string[]
  /** The words before the subcommand. */
  readonly before: readonly string[]
}

const valued = ['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--config-env', '--super-prefix', '--exec-path']

/** Reads a call of git; `argv` begins with git itself. */
export function readGit({ argv, cwd, env }: Pick<Command, 'argv' | 'cwd' | 'env'>): GitCall {
  const config = new Map(configOf(env))
  const named = (variable: string) => env.findLast(({ name }) => name === variable)?.value
  let folder = pathFrom(cwd, named('GIT_WORK_TREE') ?? '.')
  let gitDir = named('GIT_DIR')
  let at = 1
  for (; at < argv.length; at++) {
    const word = argv[at] ?? ''
    if (!word.startsWith('-')) break
    const equals = word.indexOf('=')
    const isJoined = word.startsWith('--') && equals > 0
    const name = isJoined ? word.slice(0, equals) : word
    if (!valued.includes(name) || (name === '--exec-path' && !isJoined)) continue
    const value = isJoined ? word.slice(equals + 1) : (argv[++at] ?? '')
    if (name === '-C' || name === '--work-tree') folder = pathFrom(folder, value)
    if (name === '--git-dir') gitDir = value
    if (name === '--config-env') {
      const [key = '', variable] = value.split('=')
      config.set(key.toLowerCase(), env.find((one) => one.name === variable)?.value ?? hole)
    }
    if (name === '-c') {
      const split = value.indexOf('=')
      config.set((split < 0 ? value : value.slice(0, split)).toLowerCase(), split < 0 ? 'true' : value.slice(split + 1))
    }
  }
  return {
    cwd: folder,
    gitDir: gitDir === undefined ? undefined : pathFrom(cwd, gitDir),
    config,
    subcommand: argv[at] ?? '',
    args: argv.slice(at + 1),
    before: argv.slice(0, at),
  }
}

/** Settings given as GIT_CONFIG_KEY_0 and GIT_CONFIG_VALUE_0. */
function configOf(env: Command['env']): [string, string][] {
  return env.flatMap(({ name, value }): [string, string][] => {
    if (name === 'GIT_CONFIG_PARAMETERS') return parametersOf(value)
    const number = /^GIT_CONFIG_KEY_(\d+)$/.exec(name)?.[1]
    if (number === undefined) return []
    const found = env.find((other) => other.name === `GIT_CONFIG_VALUE_${number}`)
    return [[value.toLowerCase(), found?.value ?? hole]]
  })
}

/** `'key=value' 'key'='value'`, as git hands settings to what it runs. */
function parametersOf(text: string): [string, string][] {
  return [...text.matchAll(/'([^'=]+)(?:'='|=)([^']*)'/g)].map(([, key = '', value = '']) => [key.toLowerCase(), value])
}
