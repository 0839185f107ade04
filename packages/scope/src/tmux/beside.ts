// The person's own tmux, in which the terminal of a session can be shown beside what is there.
import { execute } from '@switchyard/exec'
import { Failure } from '@switchyard/ground/failure'
import type { Store } from '@switchyard/topic'
import { tmuxNameOf, tmuxWords } from './tmux.ts'

type Where = { readonly env: Readonly<Record<string, string | undefined>>; readonly cwd: string }

const timeoutMs = 20_000
const outputBytesMax = 10_000

/** The command line that shows the terminal of a session in the one it runs in. */
export const attachWords = (store: Store, id: string, isReadOnly: boolean): string[] => [
  ...[...tmuxWords(store), 'attach-session', ...(isReadOnly ? ['-r'] : [])],
  ...['-t', `=${tmuxNameOf(id)}`],
]

/** Shows it in a pane beside the current one, of whose tmux `where.env` tells; returns what tmux calls that pane. */
export async function openBeside(words: readonly string[], where: Where): Promise<string> {
  const split = ['tmux', 'split-window', '-h', '-P', '-F', '#{pane_id}']
  const shown = ['env', '-u', 'TMUX', ...words]
  const { exitCode, stdout, stderr } = await execute([...split, ...shown], { ...where, timeoutMs, outputBytesMax })
  if (exitCode === 0) return stdout.trim()
  throw new Failure('outside', `tmux split-window: ${stderr.trim() || `exit code ${exitCode}`}`)
}

/** Closes a pane that `openBeside` has opened; one that is gone is as wanted. The session in it goes on. */
export async function closeBeside(pane: string, where: Where): Promise<void> {
  await execute(['tmux', 'kill-pane', '-t', pane], { ...where, timeoutMs, outputBytesMax })
}
