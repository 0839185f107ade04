import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { scribeOf } from '../session/bus.ts'
import { look } from '../session/look.ts'
import { needScope } from '../session/scope-store.ts'
import { attachWords, openBeside } from '../tmux/beside.ts'
import { requireTerminal } from '../tmux/require-terminal.ts'
import { runToEnd } from '../tmux/run-to-end.ts'
import { outsideTmux } from '../tmux/tmux.ts'

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
    const words = attachWords(store, session.id, flags['read-only'])
    if (env['TMUX'] && !flags.here) {
      await openBeside(words, { env, cwd })
      return undefined
    }
    if (!call.output.isTerminal || !call.input.isTerminal) {
      throw new Failure('usage', 'expected a terminal to show it in', {
        hint: `scope logs ${session.id} --screen prints what it shows`,
      })
    }
    return runToEnd(words, { env: outsideTmux(env), cwd })
  },
})
