// What a command runs in turn: `sudo rm x` runs rm, `sh -c TEXT` runs a text, `xargs rm` runs rm on what it reads.

import { isLanguage, unwrapCode } from './code.ts'
import { type Command, hole, isKnown, nameOf } from './command.ts'
import { unwrapFind } from './find.ts'
import { unwrapGit } from './git-words.ts'
import { type OptionSpec, readOptions } from './options.ts'
import { pathFrom } from './path-from.ts'
import type { Reading } from './reading.ts'

type Common = {
  readonly via: readonly string[]
  readonly remote?: boolean
  readonly cwd?: string
  /** In the same shell, as with `eval`: its `cd` lasts. */
  readonly isHere?: boolean
  /** Run at a time that nobody knows, as a trap is. */
  readonly isLater?: boolean
  readonly stdin?: string | undefined
}

/** A command or a text that another command runs. */
export type Inner = Common &
  (
    | { readonly argv: readonly string[]; readonly env?: Command['env'] }
    | { readonly script: string; readonly positional?: readonly string[] }
  )

const shells = ['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash', 'mksh', 'rbash', 'fish']

const isShell = (name: string) => shells.includes(name.replace(/^-/, ''))

/** Wrappers whose command follows their options, and how many operands of their own stand before it. */
type Prefix = OptionSpec & { readonly operands?: number; readonly isHere?: boolean }

const prefixes: Readonly<Record<string, Prefix>> = {
  pkexec: { long: ['user='] },
  sudo: { valued: 'ughpCrtTUDR', long: ['user=', 'group=', 'host=', 'prompt=', 'chdir=', 'role=', 'type='] },
  doas: { valued: 'uC' },
  command: { isHere: true },
  builtin: { isHere: true },
  exec: { valued: 'a', isHere: true },
  nohup: {},
  nice: { valued: 'n', long: ['adjustment='] },
  ionice: { valued: 'cnpPu', long: ['class=', 'classdata='] },
  time: { valued: 'fo', long: ['format=', 'output='] },
  timeout: { valued: 'sk', long: ['signal=', 'kill-after='], operands: 1 },
  gtimeout: { valued: 'sk', long: ['signal=', 'kill-after='], operands: 1 },
  stdbuf: { valued: 'ioe', long: ['input=', 'output=', 'error='] },
  setsid: {},
  unbuffer: {},
  chronic: {},
  caffeinate: { valued: 'tw' },
  busybox: {},
  toybox: {},
  strace: { valued: 'eopsuEPIOSXab' },
  ltrace: { valued: 'eopsuaAnlxFD' },
  taskset: { operands: 1 },
  chrt: { operands: 1 },
  flock: { valued: 'wEc', long: ['timeout=', 'command='], operands: 1 },
  unshare: { valued: 'SGR' },
  nsenter: { valued: 'tSG' },
  chroot: { long: ['userspec=', 'groups='], operands: 1 },
  fakeroot: { valued: 'lsibu' },
  'xvfb-run': { valued: 'nefspw' },
  'dbus-run-session': {},
  'systemd-run': { valued: 'pEuHMtG', long: ['unit=', 'property=', 'setenv='] },
  'systemd-inhibit': { long: ['what=', 'who=', 'why=', 'mode='] },
  proxychains: { valued: 'f' },
  torsocks: {},
  rlwrap: {},
  faketime: { operands: 1 },
  dotenv: { valued: 'e' },
  'with-env': {},
  npx: { valued: 'pc', long: ['package=', 'call='] },
  bunx: {},
  pnpx: {},
}

/** What a command runs, one level down. */
export function unwrap(command: Command, reading: Reading): readonly Inner[] {
  const [word = '', ...args] = command.argv
  const name = nameOf(word)
  const prefix = Object.hasOwn(prefixes, name) ? prefixes[name] : undefined
  if (prefix !== undefined) return unwrapPrefix(command, name, prefix)
  if (isShell(name)) return unwrapShell(command, name, args, reading)
  if (name === 'env') return unwrapEnv(args)
  if (name === 'eval') return [{ script: args.join(' '), via: ['eval'], isHere: true }]
  if (name === '.' || name === 'source')
    return fileOf(command, args[0] ?? '', args, reading, name).map((inner) => ({ ...inner, isHere: true }))
  if (name === 'xargs') return unwrapXargs(command, args)
  if (name === 'parallel') return unwrapParallel(command, args)
  if (name === 'watch' || name === 'entr') return unwrapWatch(name, args)
  if (name === 'ssh') return unwrapSsh(command, args)
  if (name === 'su' || name === 'runuser' || name === 'script') return commandOption(name, args, 'c', ['command='])
  if (name === 'trap' || name === 'alias') return unwrapTexts(name, args)
  if (name === 'find' || name === 'gfind' || name === 'fd' || name === 'fdfind') return unwrapFind(name, args)
  if (name === 'git') return unwrapGit(command, args, reading)
  if (name.startsWith('git-')) return [{ argv: ['git', name.slice(4), ...args], via: [name] }]
  if (name === 'at' || name === 'batch')
    return command.stdin === undefined ? [] : [{ script: command.stdin, via: [name] }]
  if (name === 'npm' || name === 'pnpm' || name === 'yarn') return unwrapExec(name, args)
  if (name === 'tmux' || name === 'screen') return unwrapTerminal(name, args)
  if (name === 'docker' || name === 'podman' || name === 'docker-compose' || name === 'kubectl') {
    return unwrapContainer(name, args)
  }
  if (Object.hasOwn(projectRunners, name)) return unwrapProject(name, args)
  if (isLanguage(name)) return unwrapCode(command, name, args)
  const written = word.includes('/') ? reading.files.get(pathFrom(command.cwd, word)) : undefined
  return written === undefined ? [] : [{ script: written, via: [word], positional: [word, ...args] }]
}

function unwrapPrefix(command: Command, name: string, spec: Prefix): Inner[] {
  const args = command.argv.slice(1)
  const { flags, values, operands } = readOptions(args, { ...spec, stopsAtOperand: true })
  if (name === 'command' && (flags.has('v') || flags.has('V'))) return []
  const text =
    name === 'flock' || name === 'npx' ? (values.get('c') ?? values.get('command') ?? values.get('call')) : undefined
  if (text !== undefined) return text.map((script) => ({ script, via: [name] }))
  const rest = operands.slice(spec.operands ?? 0)
  if (name === 'flock' && rest[0] === '-c') return [{ script: rest[1] ?? '', via: [name] }]
  const { argv, env } = splitEnv(rest)
  const isShellOf = /^(?:sudo|doas)$/.test(name) && ['i', 's', 'login', 'shell'].some((flag) => flags.has(flag))
  if (argv.length === 0) return isShellOf && command.stdin !== undefined ? [{ script: command.stdin, via: [name] }] : []
  const isHere = spec.isHere === true ? { isHere: true } : {}
  return [{ argv, env, via: [name], ...isHere }]
}

/** Assignments before a command's name, as `env` and `sudo` take them. */
function splitEnv(words: readonly string[]): { argv: readonly string[]; env: Command['env'] } {
  const at = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word))
  const count = at < 0 ? words.length : at
  const env = words.slice(0, count).map((word) => {
    const equals = word.indexOf('=')
    return { name: word.slice(0, equals), value: word.slice(equals + 1) }
  })
  return { argv: words.slice(count), env }
}

function unwrapEnv(args: readonly string[]): Inner[] {
  const long = ['unset=', 'chdir=', 'split-string=', 'ignore-environment']
  const { values, operands } = readOptions(args, { valued: 'uCS', long, stopsAtOperand: true })
  const cwd = (values.get('C') ?? values.get('chdir'))?.[0]
  const place = cwd === undefined ? {} : { cwd }
  const split = values.get('S') ?? values.get('split-string')
  if (split !== undefined) return [{ script: [...split, ...operands].join(' '), via: ['env'], ...place }]
  const { argv, env } = splitEnv(operands)
  return argv.length === 0 ? [] : [{ argv, env, via: ['env'], ...place }]
}

function unwrapShell(command: Command, name: string, args: readonly string[], reading: Reading): Inner[] {
  // A shell's own -o and +o take a value; -c may be bundled, as in -lc.
  const words = args.map((arg) => (/^\+[a-zA-Z]/.test(arg) ? `-${arg.slice(1)}` : arg))
  const { flags, operands } = readOptions(words, {
    valued: 'oO',
    long: ['rcfile=', 'init-file='],
    stopsAtOperand: true,
  })
  if (flags.has('c')) {
    const [script = '', ...positional] = operands
    return [
      { script, via: [`${name} -c`], positional: positional.length === 0 ? [name] : positional, stdin: command.stdin },
    ]
  }
  const [file] = operands
  if (file !== undefined && !flags.has('s') && file !== '-') return fileOf(command, file, operands, reading, name)
  if (command.stdin === undefined) return []
  return [{ script: command.stdin, via: [name], positional: [name, ...operands] }]
}

/** A script that the command line itself wrote, or feeds through a pipe of its own. Others are not read. */
function fileOf(command: Command, file: string, operands: readonly string[], reading: Reading, name: string): Inner[] {
  const isInput = file === '/dev/stdin' || file === '/dev/fd/0' || file === '/proc/self/fd/0'
  const text = isInput ? command.stdin : reading.files.get(pathFrom(command.cwd, file))
  return text === undefined ? [] : [{ script: text, via: [name], positional: operands }]
}

function unwrapXargs(command: Command, args: readonly string[]): Inner[] {
  const long = ['replace', 'max-args=', 'max-procs=', 'delimiter=', 'arg-file=', 'max-lines', 'max-chars=', 'null']
  const { values, operands } = readOptions(args, { valued: 'InPdELsa', long, stopsAtOperand: true })
  const marker = values.get('I')?.[0] ?? (args.includes('-i') || args.includes('--replace') ? '{}' : undefined)
  const input = (command.stdin ?? hole).trim()
  const read = isKnown(input) && input.length < 4096 ? input.split(/\s+/).filter((word) => word !== '') : [hole]
  const argv = operands.length === 0 ? ['echo'] : operands
  if (marker === undefined) return [{ argv: [...argv, ...read], via: ['xargs'], stdin: undefined }]
  return read
    .slice(0, 32)
    .map((value) => ({ argv: argv.map((word) => word.replaceAll(marker, value)), via: ['xargs'] }))
}

function unwrapParallel(command: Command, args: readonly string[]): Inner[] {
  const { operands } = readOptions(args, {
    valued: 'jINnLPSa',
    long: ['jobs=', 'colsep=', 'arg-file='],
    stopsAtOperand: true,
  })
  const at = operands.findIndex((word) => /^:::/.test(word))
  const words = at < 0 ? operands : operands.slice(0, at)
  const inputs =
    at < 0 ? (command.stdin ?? hole).trim().split('\n') : operands.slice(at + 1).filter((word) => !/^:::/.test(word))
  const line = words.join(' ')
  return inputs.slice(0, 32).map((value) => {
    const script = line === '' ? value : line.includes('{}') ? line.replaceAll('{}', value) : `${line} ${value}`
    return { script, via: ['parallel'] }
  })
}

function unwrapWatch(name: string, args: readonly string[]): Inner[] {
  const { operands } = readOptions(args, { valued: 'n', long: ['interval='], stopsAtOperand: true })
  return operands.length === 0 ? [] : [{ script: operands.join(' '), via: [name] }]
}

function unwrapSsh({ stdin }: Command, args: readonly string[]): Inner[] {
  const { operands } = readOptions(args, { valued: 'BbcDEeFIiJLlmOopQRSWw', stopsAtOperand: true })
  const words = operands.slice(1)
  const place = { via: ['ssh'], remote: true, cwd: hole }
  if (words.length > 0) return [{ script: words.join(' '), stdin, ...place }]
  return stdin === undefined ? [] : [{ script: stdin, ...place }]
}

function commandOption(name: string, args: readonly string[], letter: string, long: readonly string[]): Inner[] {
  const { values } = readOptions(args, { valued: `${letter}gsGw`, long })
  const texts = [...(values.get(letter) ?? []), ...(values.get('command') ?? [])]
  return texts.map((script) => ({ script, via: [`${name} -c`] }))
}

function unwrapTexts(name: string, args: readonly string[]): Inner[] {
  if (name === 'trap')
    return args[0] === undefined || args[0].startsWith('-') ? [] : [{ script: args[0], via: ['trap'], isLater: true }]
  return args.flatMap((arg) => {
    const equals = arg.indexOf('=')
    return equals < 0 ? [] : [{ script: arg.slice(equals + 1), via: ['alias'] }]
  })
}

function unwrapExec(name: string, args: readonly string[]): Inner[] {
  const [verb, ...rest] = args
  // `yarn prisma` is `yarn exec prisma`; others are words of their own, as `pnpm rm`.
  if (
    /^(?:prisma|rimraf|sequelize|sequelize-cli|typeorm|knex|cdk|serverless|sls|supabase|drizzle-kit)$/.test(verb ?? '')
  ) {
    return [{ argv: args, via: [name] }]
  }
  if (verb !== 'exec' && verb !== 'x' && verb !== 'dlx') return []
  const { values, operands } = readOptions(rest, { valued: 'cp', long: ['call=', 'package='], stopsAtOperand: true })
  const script = (values.get('c') ?? values.get('call'))?.[0]
  if (script !== undefined) return [{ script, via: [`${name} exec`] }]
  return operands.length === 0 ? [] : [{ argv: operands, via: [`${name} exec`] }]
}

/** `docker exec NAME CMD`, `kubectl exec POD -- CMD`: on another machine, as far as files go. */
function unwrapContainer(name: string, args: readonly string[]): Inner[] {
  const isCompose = name === 'docker-compose' || args[0] === 'compose'
  const at = args.findIndex((arg) => arg === 'exec' || (isCompose && arg === 'run'))
  if (at < 0) return []
  const { operands } = readOptions(args.slice(at + 1), {
    valued: name === 'kubectl' ? 'nc' : 'euw',
    long: ['env=', 'user=', 'workdir='],
    stopsAtOperand: true,
  })
  const words = operands.slice(1).filter((word, index) => index > 0 || word !== '--')
  return words.length === 0 ? [] : [{ argv: words, via: [`${name} exec`], remote: true, cwd: hole }]
}

/** Programs that run a command with what a project needs, and the word before it. */
const projectRunners: Readonly<Record<string, readonly string[]>> = {
  bundle: ['exec'],
  poetry: ['run'],
  uv: ['run'],
  pipenv: ['run'],
  pdm: ['run'],
  rye: ['run'],
  hatch: ['run'],
  mise: ['exec', 'x'],
  asdf: ['exec'],
  direnv: ['exec'],
  nix: ['run'],
  conda: ['run'],
}

function unwrapProject(name: string, args: readonly string[]): Inner[] {
  const [verb = '', ...rest] = args
  if (!projectRunners[name]?.includes(verb)) return []
  const { operands } = readOptions(rest, { valued: 'np', long: ['with=', 'python='], stopsAtOperand: true })
  const argv = operands.slice(name === 'direnv' ? 1 : 0)
  return argv.length === 0 ? [] : [{ argv, via: [`${name} ${verb}`] }]
}

/** A command that a terminal multiplexer starts or types. */
function unwrapTerminal(name: string, args: readonly string[]): Inner[] {
  const { operands } = readOptions(args, { valued: 'tncFsxyeLSfp' })
  const words = name === 'tmux' ? operands.slice(1) : operands
  return words.filter((word) => word.includes(' ')).map((script) => ({ script, via: [name] }))
}
