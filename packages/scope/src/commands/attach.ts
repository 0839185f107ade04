import { spawn } from 'node:child_process'
import process from 'node:process'
import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { scribeOf } from '../session/bus.ts'
import { look } from '../session/look.ts'
import { needScope } from '../session/scope-store.ts'
import { requireTerminal } from '../tmux/require-terminal.ts'
import { outsideTmux, tmuxNameOf, tmuxWords } from '../tmux/tmux.ts'

/**
 * `scope attach`: enters the terminal of a session. Within tmux it opens beside the current pane, and closing it leaves
 * the session as it is; elsewhere it takes the terminal until it is left (Ctrl-B, then d). Exits 2 without a terminal.
 */
export const attach = defineVerb({
  summary: 'Enter the terminal of a session; leave it with Ctrl-B d',
  args: [{ name: 'session', summary: 'Id or name', complete: 'session' }],
  flags: {
    'read-only': { type: 'boolean', summary: 'Only look' },
    here: { type: 'boolean', summary: 'In this terminal, also within tmux' },
  },
  examples: ['scope attach 0'],
  async run(call) {
    const { args, flags, env, cwd } = call
    const store = needScope(call)
    const session = await look(scribeOf(call, store), args.session)
    await requireTerminal(call, store, session)
    const readOnly = flags['read-only'] ? ['-r'] : []
    const words = [...tmuxWords(store), 'attach-session', ...readOnly, '-t', `=${tmuxNameOf(session.id)}`]
    if (env['TMUX'] && !flags.here)
      return runToEnd(['tmux', 'split-window', '-h', 'env', '-u', 'TMUX', ...words], { env, cwd })
    if (!call.output.isTerminal || !call.input.isTerminal) {
      throw new Failure('usage', 'expected a terminal to show it in', {
        hint: `scope logs ${session.id} --screen prints what it shows`,
      })
    }
    return runToEnd(words, { env: outsideTmux(env), cwd })
  },
})

type Where = { readonly env: Readonly<Record<string, string | undefined>>; readonly cwd: string }

/** Gives this terminal to a program until it ends. */
function runToEnd([file = '', ...words]: readonly string[], { env, cwd }: Where): Promise<undefined> {
  return new Promise((done, fail) => {
    const child = spawn(file, words, { cwd, env: { ...env }, stdio: 'inherit' })
    process.on('SIGINT', () => undefined)
    child.once('error', fail)
    child.once('exit', (code) => {
      if (code === 0) done(undefined)
      else fail(new Failure('outside', `tmux ended with exit code ${code}`))
    })
  })
}
