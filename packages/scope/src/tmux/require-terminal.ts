import type { Context } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import type { Store } from '@switchyard/topic'
import type { Session } from '../session/fold-session.ts'
import { hasTerminal } from './terminal.ts'
import type { TmuxPlace } from './tmux.ts'

/** Where the terminal of a session is. Exits 5 when it has none, or none any more. */
export async function requireTerminal(
  { env, cwd }: Pick<Context, 'env' | 'cwd'>,
  store: Store,
  { id, state, created }: Session,
): Promise<TmuxPlace> {
  if (created.backend !== 'tmux') {
    throw new Failure('conflict', `session ${id} has no terminal, it was started without one`, {
      hint: `scope logs ${id} --output shows what its agent printed; scope resume ${id} "…" tells it more`,
      retryable: false,
    })
  }
  const place = { store, env, cwd }
  if (await hasTerminal(place, id)) return place
  throw new Failure('conflict', `the terminal of session ${id} is closed, the session is ${state}`, {
    hint: `scope resume ${id}`,
    retryable: false,
  })
}
