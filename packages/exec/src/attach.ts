import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { resolve } from 'node:path'
import { cannotStart, ensureCanStart } from './can-start.ts'

export type AttachOptions = {
  cwd: string
  /** The whole environment of the child, but for `PWD`, which is `cwd`; nothing is inherited. */
  env: Readonly<Record<string, string | undefined>>
  /** Passes SIGTERM on to the child when aborted. */
  signal?: AbortSignal
}

/**
 * Runs a program in this process's place: with its streams, in its process group, as long as it takes. Returns the
 * exit code as shells show it: 128 and the signal's number when one ended it. Failure `outside` when the program or
 * the folder does not exist or cannot be started.
 */
export async function attach(argv: readonly string[], options: AttachOptions): Promise<number> {
  const [program, ...args] = argv
  ensureCanStart(program, options)
  const { cwd, env, signal } = options
  const child = spawn(program, args, { cwd, env: { ...env, PWD: resolve(cwd) }, stdio: 'inherit' })
  const pass = () => child.kill('SIGTERM')
  signal?.addEventListener('abort', pass, { once: true })
  try {
    return await new Promise<number>((done, fail) => {
      child.once('error', (error) => fail(cannotStart(argv, error.message)))
      child.once('exit', (code, ended) => done(code ?? 128 + (ended === null ? 0 : constants.signals[ended])))
    })
  } finally {
    signal?.removeEventListener('abort', pass)
  }
}
