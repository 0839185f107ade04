import { delimiter, join } from 'node:path'
import { cleanEnv, type Execution, execute } from '@switchyard/exec'
import type { Sandbox } from '@switchyard/sandbox'
import { redactionOf } from './redacted.ts'

/**
 * What the next run does with a child that outlives this one: ends a runner, waits for a git or tissue command that
 * is about to be done.
 */
type OnOrphan = 'end' | 'wait'

type Env = Readonly<Record<string, string | undefined>>

export type ChildOptions = {
  cwd: string
  onOrphan: OnOrphan
  timeoutMs: number
  env?: Readonly<Record<string, string>>
  input?: string
  signal?: AbortSignal
  onOutput?: (chunk: Uint8Array, stream: 'stdout' | 'stderr') => void
  /** The sandbox that it runs in, which was made for `env` and has it whole. */
  within?: Pick<Sandbox, 'wrap'>
}

/** Runs a command as a child of this run; what it printed is without secrets. Failure `outside` without such a program. */
export type RunChild = (command: readonly string[] | { shell: string }, options: ChildOptions) => Promise<Execution>

const outputBytesMax = 1024 * 1024

/**
 * Starts the children of a run. Each notes its pid in `folder` before it starts, under a name that tells what to do
 * with it when this process is killed; when the folder is taken away, no child starts any more.
 */
export function openChildren(folder: string, env: Env): RunChild {
  let count = 0
  return starting(env, (onOrphan) => {
    count += 1
    return { pidFile: join(folder, `${count}.${onOrphan}`) }
  })
}

/** Starts commands of a verb that is no run: nobody looks for them when it is killed. */
export const openPlainChildren = (env: Env): RunChild => starting(env, () => ({}))

function starting(env: Env, noteOf: (onOrphan: OnOrphan) => { pidFile?: string }): RunChild {
  const inherited = cleanEnv(env)
  const redacted = redactionOf(env)
  return async (command, { onOrphan, env: more, within, ...options }) => {
    const note = noteOf(onOrphan)
    const { argv, env: own } = within?.wrap(argvOf(command)) ?? { argv: command, env: withMore(inherited, more) }
    return redacted(command, await execute(argv, { ...options, ...note, env: own, outputBytesMax }))
  }
}

/** What a child gets that inherits `env` and is told `more`. */
export const environmentOfChild = (env: Env, more: Readonly<Record<string, string>> = {}) =>
  withMore(cleanEnv(env), more)

const argvOf = (command: readonly string[] | { shell: string }) =>
  'shell' in command ? ['sh', '-c', command.shell] : command

const ceilings = 'GIT_CEILING_DIRECTORIES'

/** The ceilings that the user has set stay. */
function withMore(inherited: Record<string, string>, more: Readonly<Record<string, string>> = {}) {
  const both = [more[ceilings], inherited[ceilings]].filter((folders) => folders !== undefined)
  return { ...inherited, ...more, ...(both.length === 0 ? {} : { [ceilings]: both.join(delimiter) }) }
}
