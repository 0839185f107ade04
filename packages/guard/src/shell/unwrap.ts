// What a command runs in turn: `sudo rm x` runs rm, `sh -c TEXT` runs a text, `xargs rm` runs rm on what it reads.
import type { Call, Unwrap } from './call.ts'
import { isLanguage, unwrapCode } from './code.ts'
import { type Command, nameOf } from './command.ts'
import { unwrapContainer } from './containers.ts'
import { unwrapParallel, unwrapXargs } from './feed.ts'
import { unwrapFind } from './find.ts'
import { unwrapGit, unwrapGitProgram } from './git-words.ts'
import type { Inner } from './inner.ts'
import { unwrapSsh, unwrapUser } from './other-users.ts'
import { projectRunners, unwrapExec, unwrapProject } from './packages.ts'
import { isPrefix, unwrapEnv, unwrapPrefix } from './prefixes.ts'
import type { ShellReading } from './reading.ts'
import { isShell, unwrapScript, unwrapShell, unwrapSource } from './shells.ts'
import {
  unwrapAlias,
  unwrapAt,
  unwrapLoop,
  unwrapPatch,
  unwrapTerminal,
  unwrapTrap,
  unwrapWatch,
} from './text-runners.ts'
import { isJudged, unwrapUnknown } from './unknown-program.ts'
import { isWindows, unwrapWindows } from './windows.ts'

/** Programs whose command is looked for also where they stand among the operands of a program that nobody knows. */
const followed = byName({
  env: unwrapEnv,
  eval: ({ args }) => [{ script: args.join(' '), via: ['eval'], isHere: true }],
  xargs: unwrapXargs,
  parallel: unwrapParallel,
  'watch entr': unwrapWatch,
  ssh: unwrapSsh,
  'su runuser sg': unwrapUser,
  'find gfind fd fdfind': unwrapFind,
  'tmux screen': (call) => [...unwrapTerminal(call), ...unwrapUnknown(call.command, isFollowed)],
})

/** Programs whose names mean too much else to be looked for there. */
const named = byName({
  '. source': unwrapSource,
  script: unwrapUser,
  trap: unwrapTrap,
  alias: unwrapAlias,
  git: unwrapGit,
  'at batch': unwrapAt,
  'npm pnpm yarn': unwrapExec,
  bun: (call) => (call.args[0] === 'x' ? unwrapExec(call) : undefined),
  loop: unwrapLoop,
  patch: unwrapPatch,
  'docker podman docker-compose kubectl': unwrapContainer,
  [[...projectRunners.keys()].join(' ')]: unwrapProject,
})

function byName(programs: Readonly<Record<string, Unwrap>>): ReadonlyMap<string, Unwrap> {
  return new Map(Object.entries(programs).flatMap(([names, unwrap]) => names.split(' ').map((name) => [name, unwrap])))
}

/** The first that knows the program says what it runs. */
const order: readonly Unwrap[] = [
  unwrapPrefix,
  unwrapShell,
  unwrapWindows,
  (call) => followed.get(call.name)?.(call),
  (call) => named.get(call.name)?.(call),
  unwrapGitProgram,
  unwrapCode,
  unwrapScript,
]

/** What a command runs, one level down. */
export function unwrap(command: Command, reading: ShellReading): readonly Inner[] {
  const [word = '', ...args] = command.argv
  const call: Call = { command, name: nameOf(word), args, reading }
  for (const known of order) {
    const inner = known(call)
    if (inner !== undefined) return inner
  }
  return isJudged(call.name) ? [] : unwrapUnknown(command, isFollowed)
}

function isFollowed(name: string): boolean {
  return followed.has(name) || isShell(name) || isPrefix(name) || isLanguage(name) || isWindows(name)
}
