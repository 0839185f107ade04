// tmux, on a server of its own for each store, so that no window of the person's is ever touched. Targets are exact
// names; texts are never words of a command line.
import { execute, findProgram } from '@switchyard/exec'
import { realPathIfThere } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { fnv1a } from '@switchyard/ground/fnv1a'
import type { Store } from '@switchyard/topic'

type Env = Readonly<Record<string, string | undefined>>

/** Where tmux is called: which store's server, and from where. */
export type TmuxPlace = { readonly store: Pick<Store, 'path'>; readonly env: Env; readonly cwd: string }

const timeoutMs = 20_000
const outputBytesMax = 16_000_000
/** A server that is just ending takes nobody in any more; the next call starts another. */
const lostServer = /server exited|lost server|no server running|error connecting/
const attempts = 5

/** The name of the tmux session that shows a session of scope. tmux itself would turn a dot into an underscore. */
export const tmuxNameOf = (id: string) => `scope-${id.replaceAll('.', '_')}`

/** The server of a store, by the name of its socket. */
export const socketOf = ({ path }: Pick<Store, 'path'>) =>
  `scope-${fnv1a(realPathIfThere(path) ?? path)
    .toString(16)
    .padStart(8, '0')}`

/** Whether tmux is on PATH. */
export const hasTmux = ({ env, cwd }: Omit<TmuxPlace, 'store'>) => findProgram('tmux', { cwd, env }) !== undefined

/** The words before any command: our server, and none of the person's settings, which could end a session. */
export const tmuxWords = (store: TmuxPlace['store']) => ['tmux', '-L', socketOf(store), '-f', '/dev/null']

/**
 * Without the person's own tmux, in which nothing is to happen, and without the session that calls: the server is no
 * process of it, and does not end with it.
 */
export const outsideTmux = ({
  TMUX: _,
  TMUX_PANE: __,
  SCOPE_SESSION_ID: ___,
  SCOPE_SUPERVISES: ____,
  ...env
}: Env): Env => env

/** Runs a command of tmux and gives what it printed. Exits 8 with tmux's own words when it refuses. */
export async function tmux(place: TmuxPlace, words: readonly string[], input = ''): Promise<string> {
  const { exitCode, stdout, stderr } = await runTmux(place, words, input)
  if (exitCode === 0) return stdout
  throw new Failure('outside', `tmux ${words[0]}: ${stderr.trim() || `exit code ${exitCode}`}`)
}

/** Whether a command of tmux succeeds. */
export async function tmuxSays(place: TmuxPlace, words: readonly string[]): Promise<boolean> {
  return (await runTmux(place, words, '')).exitCode === 0
}

async function runTmux({ store, env, cwd }: TmuxPlace, words: readonly string[], input: string) {
  const options = { cwd, env: outsideTmux(env), input, timeoutMs, outputBytesMax }
  for (let attempt = 1; ; attempt++) {
    const ended = await execute([...tmuxWords(store), ...words], options)
    const isLost = ended.exitCode !== 0 && words[0] === 'new-session' && lostServer.test(ended.stderr)
    if (!isLost || attempt === attempts) return ended
  }
}
