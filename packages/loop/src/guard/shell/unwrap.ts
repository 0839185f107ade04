// What a command runs in turn: `sudo rm x` runs rm, `sh -c TEXT` runs a text, `xargs rm` runs rm on what it reads.

import { isLanguage, unwrapCode } from './code.ts'
import { type Command, hole, nameOf } from './command.ts'
import { unwrapContainer } from './containers.ts'
import { unwrapParallel, unwrapXargs } from './feed.ts'
import { unwrapFind } from './find.ts'
import { unwrapGit } from './git-words.ts'
import { type OptionSpec, readOptions } from './options.ts'
import { unwrapSsh, unwrapUser } from './other-users.ts'
import { unwrapExec, withoutVersion } from './packages.ts'
import { pathFrom } from './path-from.ts'
import type { Reading } from './reading.ts'
import { isJudged, unwrapUnknown } from './unknown-program.ts'
import { isWindows, unwrapWindows } from './windows.ts'

type Common = {
  readonly via: readonly string[]
  readonly remote?: boolean
  readonly cwd?: string
  /** In the same shell, as with `eval`: its `cd` lasts. */
  readonly isHere?: boolean
  /** Run at a time that nobody knows, as a trap is. */
  readonly isLater?: boolean
  readonly stdin?: string | undefined
  /** The text is that of a script on disk. */
  readonly isFromFile?: boolean
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
  bunx: { valued: 'p', long: ['package='] },
  pnpx: { valued: 'p', long: ['package='] },
}

/** What a command runs, one level down. */
export function unwrap(command: Command, reading: Reading): readonly Inner[] {
  const [word = '', ...args] = command.argv
  const name = nameOf(word)
  const prefix = Object.hasOwn(prefixes, name) ? prefixes[name] : undefined
  if (prefix !== undefined) return unwrapPrefix(command, name, prefix)
  if (isShell(name)) return unwrapShell(command, name, args, reading)
  const windows = unwrapWindows(command, name, args)
  if (windows !== undefined) return windows
  if (name === 'env') return unwrapEnv(args)
  if (name === 'eval') return [{ script: args.join(' '), via: ['eval'], isHere: true }]
  if (name === '.' || name === 'source')
    return fileOf(command, args[0] ?? '', args, reading, name).map((inner) => ({ ...inner, isHere: true }))
  if (name === 'xargs') return unwrapXargs(command, args, reading)
  if (name === 'parallel') return unwrapParallel(command, args)
  if (name === 'watch' || name === 'entr') return unwrapWatch(name, args)
  if (name === 'ssh') return unwrapSsh(command, args)
  if (/^(?:su|runuser|sg|script)$/.test(name)) return unwrapUser(command, name, args)
  if (name === 'trap' || name === 'alias') return unwrapTexts(name, args)
  if (name === 'find' || name === 'gfind' || name === 'fd' || name === 'fdfind') return unwrapFind(name, args)
  if (name === 'git') return unwrapGit(command, args, reading)
  if (name.startsWith('git-')) return [{ argv: ['git', name.slice(4), ...args], via: [name] }]
  if (name === 'at' || name === 'batch')
    return command.stdin === undefined ? [] : [{ script: command.stdin, via: [name] }]
  if (name === 'npm' || name === 'pnpm' || name === 'yarn') return unwrapExec(name, args)
  if (name === 'tmux' || name === 'screen')
    return [...unwrapTerminal(name, args), ...unwrapUnknown(command, isFollowed)]
  if (name === 'loop') return unwrapLoop(args)
  if (name === 'patch') return unwrapPatch(args)
  if (name === 'bun' && args[0] === 'x') return unwrapExec(name, args)
  if (name === 'docker' || name === 'podman' || name === 'docker-compose' || name === 'kubectl') {
    return unwrapContainer(name, args)
  }
  if (projectRunners.has(name)) return unwrapProject(name, args)
  if (isLanguage(name)) return unwrapCode(command, name, args)
  const written = word.includes('/') ? reading.files.get(pathFrom(command.cwd, word)) : undefined
  if (written !== undefined) return [{ script: written, via: [word], positional: [word, ...args] }]
  if (isScriptName(word) && word.includes('/')) return onDisk(command, word, command.argv, reading, word)
  return isJudged(name) ? [] : unwrapUnknown(command, isFollowed)
}

/** What loop is told to run: agents by their names are nobody's text. */
function unwrapLoop(args: readonly string[]): Inner[] {
  const { values } = readOptions(args, { long: ['with=', 'verify=', 'check=', 'reviewer='] })
  const texts = [...values].flatMap(([name, given]) => (/^(?:with|verify|check|reviewer)$/.test(name) ? given : []))
  const at = args[0] === 'worktree' && args[1] === 'exec' ? args.indexOf('--') : -1
  const argv = at < 0 ? [] : args.slice(at + 1)
  return [
    ...texts.filter((text) => /\s/.test(text)).map((script): Inner => ({ script, via: ['loop'] })),
    ...(argv.length === 0 ? [] : [{ argv, via: ['loop worktree exec'] }]),
  ]
}

/** patch writes below a folder, or onto the file that it is given. */
function unwrapPatch(args: readonly string[]): Inner[] {
  const { values, operands } = readOptions(args, {
    valued: 'dioprBDFVYzg',
    long: ['directory=', 'output=', 'input=', 'strip='],
  })
  const [folder = '.'] = values.get('d') ?? values.get('directory') ?? []
  const [file = operands[0] ?? '_'] = values.get('o') ?? values.get('output') ?? []
  return [{ argv: ['tee', file.startsWith('/') ? file : `${folder}/${file}`], via: ['patch'], stdin: undefined }]
}

/** Programs whose command is found here, by their names. */
const followed = new Set(
  `env eval xargs parallel watch entr ssh su runuser sg find gfind fd fdfind tmux screen`.split(' '),
)

const isFollowed = (name: string) =>
  followed.has(name) || isShell(name) || Object.hasOwn(prefixes, name) || isLanguage(name) || isWindows(name)

const isFetching = (name: string) => name === 'npx' || name === 'bunx' || name === 'pnpx'

function unwrapPrefix(command: Command, name: string, spec: Prefix): Inner[] {
  const args = command.argv.slice(1)
  const { flags, values, operands } = readOptions(args, { ...spec, stopsAtOperand: true })
  if (name === 'command' && (flags.has('v') || flags.has('V'))) return []
  const text =
    name === 'flock' || isFetching(name) ? (values.get('c') ?? values.get('command') ?? values.get('call')) : undefined
  if (text !== undefined) return text.map((script) => ({ script, via: [name] }))
  const rest = operands.slice(spec.operands ?? 0)
  if (name === 'flock' && rest[0] === '-c') return [{ script: rest[1] ?? '', via: [name] }]
  const { argv, env } = splitEnv(rest)
  const isShellOf = /^(?:sudo|doas)$/.test(name) && ['i', 's', 'login', 'shell'].some((flag) => flags.has(flag))
  if (argv.length === 0) return isShellOf && command.stdin !== undefined ? [{ script: command.stdin, via: [name] }] : []
  const isHere = spec.isHere === true ? { isHere: true } : {}
  return [{ argv: isFetching(name) ? withoutVersion(argv) : argv, env, via: [name], ...isHere }]
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
  const long = ['unset=', 'chdir=', 'split-string=', 'argv0=', 'ignore-environment']
  // A lone dash is -i.
  const from = args.findIndex((arg) => arg !== '-')
  const { values, operands } = readOptions(from < 0 ? [] : args.slice(from), {
    valued: 'uCSaP',
    long,
    stopsAtOperand: true,
  })
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

/** A script that the command line itself wrote, or feeds through a pipe of its own; else a small one on disk. */
function fileOf(command: Command, file: string, operands: readonly string[], reading: Reading, name: string): Inner[] {
  const isInput = file === '/dev/stdin' || file === '/dev/fd/0' || file === '/proc/self/fd/0'
  const text = isInput ? command.stdin : reading.files.get(pathFrom(command.cwd, file))
  if (text !== undefined) return [{ script: text, via: [name], positional: operands }]
  return isInput ? [] : onDisk(command, file, operands, reading, name)
}

/** A script on disk, which is read once however often it calls itself. */
function onDisk({ cwd, remote, via }: Command, file: string, words: readonly string[], reading: Reading, name: string) {
  const isRunning = via.includes(file) || remote
  const script = isRunning ? undefined : reading.scriptAt(pathFrom(cwd, file))
  if (script === undefined || script.includes(hole)) return []
  return [{ script, via: [name, file], positional: words, isFromFile: true }]
}

const isScriptName = (word: string) => /\.(?:ba|da|z|k)?sh$/.test(word)

function unwrapWatch(name: string, args: readonly string[]): Inner[] {
  const { operands } = readOptions(args, { valued: 'n', long: ['interval='], stopsAtOperand: true })
  return operands.length === 0 ? [] : [{ script: operands.join(' '), via: [name] }]
}

function unwrapTexts(name: string, args: readonly string[]): Inner[] {
  if (name === 'trap')
    return args[0] === undefined || args[0].startsWith('-') ? [] : [{ script: args[0], via: ['trap'], isLater: true }]
  return args.flatMap((arg) => {
    const equals = arg.indexOf('=')
    return equals < 0 ? [] : [{ script: arg.slice(equals + 1), via: ['alias'] }]
  })
}

/** Programs that run a command with what a project needs, and the word before it. */
const projectRunners = new Map(
  Object.entries({
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
  }),
)

function unwrapProject(name: string, args: readonly string[]): Inner[] {
  const [verb = '', ...rest] = args
  if (!projectRunners.get(name)?.includes(verb)) return []
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
