// Wrappers: programs that run the command which follows their own words, as sudo, nice and npx do.
import type { Call } from './call.ts'
import type { Command } from './command.ts'
import type { Inner } from './inner.ts'
import { type OptionSpec, readOptions } from './options.ts'
import { withoutVersion } from './packages.ts'

/** Wrappers whose command follows their options, and how many operands of their own stand before it. */
type Prefix = OptionSpec & { readonly operands?: number; readonly isHere?: boolean }

const prefixes: ReadonlyMap<string, Prefix> = new Map(
  Object.entries({
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
  } satisfies Record<string, Prefix>),
)

export const isPrefix = (name: string) => prefixes.has(name)

const isFetching = (name: string) => name === 'npx' || name === 'bunx' || name === 'pnpx'

/** What a wrapper runs; undefined for a program that is none. */
export function unwrapPrefix({ command, name, args }: Call): Inner[] | undefined {
  const spec = prefixes.get(name)
  if (spec === undefined) return undefined
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

/** `env -i NAME=VALUE COMMAND`, and `env -S TEXT`. */
export function unwrapEnv({ args }: Call): Inner[] {
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
