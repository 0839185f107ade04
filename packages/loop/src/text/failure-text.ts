// Why a command did not do, in words that say the most first: which it was, how it ended, and what it said.
import { stripVTControlCharacters } from 'node:util'
import { tail } from './cut-text.ts'

/** A command that failed. `what` is its part in the work, such as `the verify command`. */
export type FailedCommand = {
  what: string
  command: string
  /** Null when a signal ended it. */
  exitCode: number | null
  /** So long it had, when it was stopped for being out of time. */
  timedOutMs?: number | undefined
  output: string
}

const commandLengthMax = 120
const lineLengthMax = 200
const outputBytesMax = 3000

/** The reason; behind its first line the end of the output, where there is more than that line tells. */
export function failureText(failed: FailedCommand): string {
  const said = saidLines(failed.output)
  const line = `${failed.what} failed: ${howItEnded(failed)}${said[0] === undefined ? '; it said nothing' : `: ${cut(said[0], lineLengthMax)}`}`
  return said.length < 2 ? line : `${line}\nThe end of its output:\n${tail(failed.output.trimEnd(), outputBytesMax)}`
}

function howItEnded({ command, exitCode, timedOutMs }: FailedCommand): string {
  const name = `\`${cut(command.trim().replace(/\s+/g, ' '), commandLengthMax)}\``
  if (timedOutMs !== undefined) return `${name} did not end within ${timedOutMs} ms and was stopped`
  return exitCode === null ? `${name} was ended by a signal` : `${name} exited with ${exitCode}`
}

function saidLines(output: string): string[] {
  const lines = stripVTControlCharacters(output).split(/[\r\n]+/)
  return lines.map((line) => line.trim()).filter((line) => line !== '')
}

const cut = (text: string, lengthMax: number) => (text.length <= lengthMax ? text : `${text.slice(0, lengthMax)}…`)
