// What git runs in turn: aliases, settings, and the commands that some subcommands take.
import type { Call } from './call.ts'
import { isKnown } from './command.ts'
import { type GitCall, readGit } from './git-call.ts'
import type { Inner } from './inner.ts'
import { readOptions } from './options.ts'
import type { ShellReading } from './reading.ts'

/** Settings and variables whose value git runs as a command. */
const runSettings =
  /^(?:core\.(?:sshcommand|editor|pager|fsmonitor|askpass|gitproxy)|sequence\.editor|diff\.external|pager\..+|(?:diff|merge)tool\..+\.cmd|merge\..+\.driver|filter\..+\.(?:clean|smudge)|credential\.helper|gpg\.program)$/
const runVariables = [
  'GIT_SSH_COMMAND',
  'GIT_EDITOR',
  'GIT_SEQUENCE_EDITOR',
  'GIT_PAGER',
  'GIT_EXTERNAL_DIFF',
  'GIT_ASKPASS',
  'PAGER',
  'EDITOR',
  'VISUAL',
]

/** What git runs: an alias, commands in settings, and the commands that some subcommands take. */
export function unwrapGit({ command, reading }: Call): Inner[] {
  const call = readGit(command)
  const { cwd, config, subcommand, args, before } = call
  const scripts = [...config].filter(([key]) => runSettings.test(key)).map(([, value]) => value.replace(/^!/, ''))
  const fromEnv = command.env.filter(({ name }) => runVariables.includes(name)).map(({ value }) => value)
  const texts = [...scripts, ...fromEnv, ...textsOfSubcommand(subcommand, args)]
  const inner: Inner[] = texts.filter((text) => /\s|[;&|]/.test(text)).map((script) => ({ script, via: ['git'], cwd }))
  const [below] = subcommand === 'apply' ? valuesOf(args, '', ['directory=']) : []
  if (below !== undefined) inner.push({ argv: ['tee', `${below}/_`], via: ['git apply'], cwd, stdin: undefined })
  const words = wordsOfSubcommand(subcommand, args)
  if (words.length > 0) inner.push({ argv: words, via: [`git ${subcommand}`], cwd })
  const alias = aliasOf(call, reading)
  if (subcommand === 'config') return [...inner, ...definedAliases(args, cwd), ...definedCommands(args, cwd)]
  if (alias === undefined) return inner
  const via = [`git ${subcommand}`]
  if (alias.startsWith('!')) return [...inner, { script: `${alias.slice(1)} ${args.map(asWord).join(' ')}`, via, cwd }]
  return [
    ...inner,
    {
      argv: [
        ...before,
        ...alias
          .split(/\s+/)
          .filter((word) => word !== '')
          .map(unquoted),
        ...args,
      ],
      via,
    },
  ]
}

/** `git-push` is `git push`. */
export function unwrapGitProgram({ name, args }: Call): Inner[] | undefined {
  return name.startsWith('git-') ? [{ argv: ['git', name.slice(4), ...args], via: [name] }] : undefined
}

/** An alias that is set now is run later, without its words. */
function definedAliases(args: readonly string[], cwd: string): Inner[] {
  const at = args.findIndex((arg) => /^alias\./i.test(arg))
  const value = at < 0 ? undefined : args[at + 1]
  if (value === undefined) return []
  return [{ script: value.startsWith('!') ? value.slice(1) : `git ${value}`, via: ['git config alias'], cwd }]
}

/** A setting that git runs at some other time. */
function definedCommands(args: readonly string[], cwd: string): Inner[] {
  const at = args.findIndex((arg) => runSettings.test(arg.toLowerCase()))
  const value = at < 0 ? undefined : args[at + 1]
  return value === undefined ? [] : [{ script: value.replace(/^!/, ''), via: ['git config'], cwd }]
}

function aliasOf({ cwd, config, subcommand }: GitCall, reading: ShellReading): string | undefined {
  if (subcommand === '' || !isKnown(subcommand) || subcommand.startsWith('-')) return undefined
  return config.get(`alias.${subcommand.toLowerCase()}`) ?? reading.aliasOf(subcommand, cwd)
}

/** A word as it is typed; what nobody knows stays so. */
export const asWord = (word: string) =>
  /^[\w./:@=+-]+$/.test(word) || !isKnown(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
const unquoted = (word: string) => word.replace(/^(["'])(.*)\1$/, '$2')

function textsOfSubcommand(subcommand: string, args: readonly string[]): readonly string[] {
  if (subcommand === 'rebase') return valuesOf(args, 'x', ['exec='])
  if (subcommand === 'difftool') return valuesOf(args, 'x', ['extcmd='])
  if (subcommand !== 'filter-branch') return []
  return args.flatMap((arg, at) => (/^--[a-z]+-filter$/.test(arg) ? [args[at + 1] ?? ''] : []))
}

function valuesOf(args: readonly string[], letter: string, long: readonly string[]): readonly string[] {
  const { values } = readOptions(args, { valued: letter, long })
  return [...(values.get(letter) ?? []), ...long.flatMap((name) => values.get(name.replace('=', '')) ?? [])]
}

function wordsOfSubcommand(subcommand: string, args: readonly string[]): readonly string[] {
  if (subcommand === 'bisect' && args[0] === 'run') return args.slice(1)
  if (subcommand !== 'submodule') return []
  const at = args.indexOf('foreach')
  const words = at < 0 ? [] : args.slice(at + 1).filter((word, index) => index > 0 || !word.startsWith('-'))
  return words.length === 1 ? ['sh', '-c', ...words] : words
}
