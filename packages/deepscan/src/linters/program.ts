import { execute } from '@switchyard/exec'
import { isFailure } from '@switchyard/ground/failure'
import type { Complaint } from './complaint.ts'
import { type LintFormat, readComplaints } from './formats.ts'

/** A linter as a program: how it is called, and what it prints. */
export type LintProgram = {
  name: string
  format: LintFormat
  /** The command line that the files come behind. */
  command: readonly string[]
  /** Its exit codes that mean it has looked at the files. */
  done: readonly number[]
}

export type LintSettings = { cwd: string; env: Readonly<Record<string, string>>; timeoutMs: number }

/** What a linter said of some files, and what went wrong, when something did. */
export type Linted = { complaints: readonly Complaint[]; fault: string | undefined }

/** Arguments of one call, in bytes: systems take at most two million, and some less. */
const argumentBytesMax = 1_000_000
const outputBytesMax = 200_000_000

/**
 * Runs a linter over files, as few times as their names allow. Complaints from before a fault count. It is a fault when
 * it cannot be started, does not end in time, fails, or prints something else or too much.
 */
export async function runProgram(
  program: LintProgram,
  files: readonly string[],
  settings: LintSettings,
): Promise<Linted> {
  const complaints: Complaint[] = []
  for (const batch of batchesOf(files)) {
    const linted = await runOnce(program, batch, settings)
    for (const complaint of linted.complaints) complaints.push(complaint)
    if (linted.fault !== undefined) return { complaints, fault: linted.fault }
  }
  return { complaints, fault: undefined }
}

function* batchesOf(files: readonly string[]): Generator<readonly string[]> {
  let [batch, bytes]: [string[], number] = [[], 0]
  for (const file of files) {
    const size = Buffer.byteLength(file) + 9
    if (bytes + size > argumentBytesMax && batch.length > 0) {
      yield batch
      ;[batch, bytes] = [[], 0]
    }
    batch.push(file)
    bytes += size
  }
  if (batch.length > 0) yield batch
}

async function runOnce(
  program: LintProgram,
  files: readonly string[],
  { cwd, env, timeoutMs }: LintSettings,
): Promise<Linted> {
  const none = (fault: string): Linted => ({ complaints: [], fault })
  try {
    const ended = await execute([...program.command, ...files], { cwd, env, timeoutMs, outputBytesMax })
    if (ended.timedOut) return none(`it did not end within ${Math.round(timeoutMs / 1000)} s`)
    if (ended.truncated) return none(`it printed more than ${outputBytesMax} bytes`)
    if (ended.exitCode === null || !program.done.includes(ended.exitCode)) {
      const said = ended.stderr.trim().split('\n').at(-1)?.slice(0, 200) ?? ''
      return none(`it ended with ${ended.signal ?? `exit ${ended.exitCode}`}${said === '' ? '' : `: ${said}`}`)
    }
    const read = readComplaints(program.format, ended.stdout)
    return 'fault' in read ? none(`it printed what cannot be read: ${read.fault}`) : { ...read, fault: undefined }
  } catch (error) {
    if (isFailure(error)) return none(error.message)
    throw error
  }
}
