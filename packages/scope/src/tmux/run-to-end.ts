import { spawn } from 'node:child_process'
import process from 'node:process'
import { Failure } from '@switchyard/ground/failure'

type Where = { readonly env: Readonly<Record<string, string | undefined>>; readonly cwd: string }

/** Gives this terminal to tmux until it ends. Exits 8 when it fails. */
export function runToEnd([file = '', ...words]: readonly string[], { env, cwd }: Where): Promise<undefined> {
  return new Promise((done, fail) => {
    const child = spawn(file, words, { cwd, env: { ...env }, stdio: 'inherit' })
    // Ctrl-C is the child's.
    const stays = () => undefined
    process.on('SIGINT', stays)
    child.once('error', fail)
    child.once('exit', (code) => {
      process.off('SIGINT', stays)
      if (code === 0) done(undefined)
      else fail(new Failure('outside', `tmux ended with exit code ${code}`))
    })
  })
}
