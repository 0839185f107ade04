// The terminal of a session: a tmux session of its own, whose one process is the supervisor.
import { join } from 'node:path'
import process from 'node:process'
import { Failure } from '@switchyard/ground/failure'
import { ulid } from '@switchyard/ground/ulid'
import { type TmuxPlace, tmux, tmuxNameOf, tmuxSays } from './tmux.ts'

const width = 200
const height = 50
const historyLines = 50_000

/** What tmux calls a pane of a session, exactly: another session whose name begins alike is not meant. */
const paneOf = (id: string) => `=${tmuxNameOf(id)}:`

/** Starts the supervisor of a session in a terminal of its own; returns its number. */
export async function openTerminal(
  place: TmuxPlace,
  { id, cwd, told }: { id: string; cwd: string; told: Readonly<Record<string, string>> },
): Promise<number> {
  const name = tmuxNameOf(id)
  const scope = join(__dirname, '..', 'bin', 'scope.cjs')
  const size = ['-x', String(width), '-y', String(height)]
  const env = Object.entries(told).flatMap(([key, value]) => ['-e', `${key}=${value}`])
  const printed = await tmux(place, [
    ...['set-option', '-g', 'history-limit', String(historyLines), ';', 'set-option', '-g', 'mouse', 'on', ';'],
    ...['new-session', '-d', '-s', name, ...size, '-c', cwd, ...env, '-P', '-F', '#{pane_pid}', '--'],
    ...[process.execPath, scope, 'supervise', id],
  ])
  const pid = Number(printed.trim())
  if (Number.isInteger(pid) && pid > 0) return pid
  throw new Failure('outside', `expected tmux to name the process of ${name}, it printed ${JSON.stringify(printed)}`)
}

/** Whether the terminal of a session is there. */
export const hasTerminal = (place: TmuxPlace, id: string) =>
  tmuxSays(place, ['has-session', '-t', `=${tmuxNameOf(id)}`])

/** The text on the screen of a session and so many lines above it. */
export const readScreen = (place: TmuxPlace, id: string, linesAbove: number) =>
  tmux(place, ['capture-pane', '-p', '-t', paneOf(id), '-S', `-${linesAbove}`])

/** What a terminal would take for an end of the paste, or for keys. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f]/

/** The first character of a text that must not be pasted; undefined where all may. */
export const findControl = (text: string): string | undefined => controls.exec(text)?.[0]

/** Gives a text to the program in the terminal as one paste, byte for byte; nothing is submitted. */
export async function paste(place: TmuxPlace, id: string, text: string): Promise<void> {
  const buffer = `scope-${ulid(Date.now())}`
  await tmux(place, ['load-buffer', '-b', buffer, '-'], text)
  await tmux(place, ['paste-buffer', '-p', '-r', '-d', '-b', buffer, '-t', paneOf(id)])
}

/** Presses keys, by tmux's names for them. */
export const press = (place: TmuxPlace, id: string, ...keys: readonly string[]) =>
  tmux(place, ['send-keys', '-t', paneOf(id), '--', ...keys])
