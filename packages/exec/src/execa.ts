// A file of its own, loaded when a program is run: most verbs that may run one do not.
import { resolve } from 'node:path'
import { execa } from 'execa'

type Start = {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly input?: string | Uint8Array | undefined
}

/** Starts a program in a process group of its own, with nothing inherited; how it ends is the caller's. */
export const startProgram = (file: string, args: readonly string[], { cwd, env, input }: Start) =>
  execa(file, args, {
    cwd,
    // A program that believes PWD rather than the system would work in the folder of whoever started us.
    env: { ...env, PWD: resolve(cwd) },
    extendEnv: false,
    detached: true,
    cleanup: false,
    reject: false,
    buffer: false,
    stripFinalNewline: false,
    ...(input === undefined ? { stdin: 'ignore' } : { input }),
  })
