// The log of a run of a workflow, in `.scope/workflows/<run>`: append-only, each line signed with the key of this
// machine, so that no run that came with a repository is taken up.
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { entriesIn, folderIn, orRefusedLater, readStored, realPathIfThere } from '@switchyard/ground/disk'
import { Failure, isFailure, systemCode } from '@switchyard/ground/failure'
import { processOf } from '@switchyard/ground/process-name'
import { isSignedHere } from '@switchyard/ground/signature'
import type { Env } from '@switchyard/ground/state-folder'
import { writeWhole } from '@switchyard/ground/whole-file'
import { appendLine, parseRecord, readLines, transact } from '@switchyard/jsonl'
import { createHidden, type Store } from '@switchyard/topic'
import { isGone } from '../session/process-here.ts'
import { makeFolderIn } from '../session/scope-store.ts'
import { sign } from '../session/sign.ts'
import { type PhaseEnd, type RunRecord, runRecord } from './phase-schema.ts'

const purpose = 'scope:workflow'

type Own<R> = R extends unknown ? Omit<R, 'v' | 'at' | 'signature'> : never

/** A line without what every line has. */
export type RunDraft = Own<RunRecord>

export type RunPlace = { readonly store: Store; readonly env: Env; readonly now: () => number }

const folderOf = (store: Store, run: string) => folderIn(store, `workflows/${run}`)
const logOf = (store: Store, run: string) => join(folderOf(store, run), 'run.jsonl')

const signedOf = (store: Store, run: string, draft: object) => [
  realPathIfThere(store.path) ?? store.path,
  run,
  JSON.stringify(draft),
]

/** Makes the folder of a new run; returns its name, which no other has. */
export function newRun({ store }: RunPlace, workflow: string): string {
  createHidden(store, 'sessions')
  makeFolderIn(store, 'workflows')
  const last = runsOf(store, workflow).at(-1)
  for (let number = last === undefined ? 0 : Number(last.slice(workflow.length + 1)) + 1; ; number++) {
    const run = `${workflow}-${number}`
    try {
      mkdirSync(folderOf(store, run))
      return run
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error
    }
  }
}

/** The runs of a workflow, or of all, the oldest first. */
function runsOf(store: Store, workflow?: string): string[] {
  return entriesIn(folderIn(store, 'workflows'))
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => {
      const [, of, number] = /^([a-z][a-z0-9_-]*)-(\d{1,9})$/i.exec(name) ?? []
      return of !== undefined && (workflow ?? of) === of ? [{ name, number: Number(number) }] : []
    })
    .sort((one, other) => one.number - other.number)
    .map(({ name }) => name)
}

/** Appends a line, signed. Exits 1 where this machine has no place for a key. */
export function appendRun({ store, env, now }: RunPlace, run: string, draft: RunDraft): void {
  const record = { v: 1, at: now(), ...draft }
  const signature = sign(purpose, signedOf(store, run, record), env)
  appendLine(logOf(store, run), JSON.stringify({ ...record, signature }))
}

/** What a run has come to, oldest first. Exits 5 when a line of it was not written on this machine. */
function readRun({ store, env }: Omit<RunPlace, 'now'>, run: string): RunRecord[] {
  const records: RunRecord[] = []
  for (const line of readLines(logOf(store, run))) {
    const record = parseRecord(line)
    if (record === undefined) continue
    const { signature, ...signed } = record
    if (!isSignedHere(purpose, signedOf(store, run, signed), signature, env)) {
      throw new Failure('conflict', `the run ${run} was not written on this machine, or was changed`, {
        hint: 'run the workflow anew, without --resume',
        retryable: false,
      })
    }
    const { data } = runRecord.safeParse(record)
    if (data !== undefined) records.push(data)
  }
  return records
}

/** The last run of a file that is of this workflow, or of any; undefined when there is none. */
export function findRun(
  place: RunPlace,
  file: string,
  workflow?: string,
): { run: string; records: RunRecord[] } | undefined {
  let found: { run: string; records: RunRecord[] } | undefined
  for (const run of runsOf(place.store, workflow)) {
    const records = readRun(place, run)
    const begun = records.find((record) => record.event === 'begun')
    if (begun === undefined || begun.file !== file || (workflow ?? begun.workflow) !== begun.workflow) continue
    const last = found?.records.find((record) => record.event === 'begun')?.at ?? 0
    if (begun.at >= last) found = { run, records }
  }
  return found
}

/** How a run stands: whether somebody keeps it going, and when its last line was written. */
type RunStanding = { readonly run: string; readonly isAtWork: boolean; readonly at: number }

/** Every run that this machine has written; one that another wrote is left alone. */
export function runStandings(place: Omit<RunPlace, 'now'>): RunStanding[] {
  return runsOf(place.store).flatMap((run) => {
    try {
      const records = readRun(place, run)
      return { run, isAtWork: keeperOf(records) !== undefined, at: records.at(-1)?.at ?? 0 }
    } catch (error) {
      if (!isFailure(error)) throw error
      return []
    }
  })
}

/** The process that keeps a run going; undefined where it has ended, or its process is gone. */
function keeperOf(records: readonly RunRecord[]): number | undefined {
  const last = records.findLast((record) => record.event === 'ended' || record.event === 'begun')
  if (last?.event !== 'begun') return undefined
  return isGone({ ...processOf(last.pid), pid: last.pid, start: last.start }) ? undefined : last.pid
}

type Begun = Pick<Extract<RunRecord, { event: 'begun' }>, 'file' | 'workflow' | 'params' | 'anew'>

/** Has a run be this process's own. Exits 5 when another process keeps it going. */
export async function holdRun(place: RunPlace, run: string, begun: Begun, pid: number): Promise<void> {
  await orRefusedLater(`the run ${run} was to be written`, () =>
    transact(logOf(place.store, run), () => {
      const keeper = keeperOf(readRun(place, run))
      if (keeper !== undefined) throw new Failure('conflict', `the run ${run} is kept going by process ${keeper}`)
      appendRun(place, run, { event: 'begun', ...begun, pid, start: processOf(pid).start })
    }),
  )
}

/** Keeps what came of a phase, its text beside the log. */
export function keepPhaseResult(place: RunPlace, run: string, { result_text, ...result }: PhaseEnd): void {
  const path = textFile(place.store, run, result)
  writeWhole(path, `${path}.draft`, result_text)
  appendRun(place, run, { event: 'result', sha256: hashOf(result_text), result })
}

/** The last result of each phase, by its name. Exits 5 when its text was changed. */
export function phaseResults({ store }: RunPlace, run: string, records: readonly RunRecord[]): Map<string, PhaseEnd> {
  const results = new Map<string, PhaseEnd>()
  for (const record of records) {
    if (record.event === 'begun') for (const phase of record.anew) results.delete(phase)
    if (record.event !== 'result') continue
    const text = readStored(textFile(store, run, record.result)) ?? ''
    if (hashOf(text) !== record.sha256) {
      throw new Failure('conflict', `the result of phase ${record.result.phase} in ${run} was changed`, {
        retryable: false,
      })
    }
    results.set(record.result.phase, { ...record.result, result_text: text })
  }
  return results
}

const textFile = (store: Store, run: string, { phase, attempt }: Pick<PhaseEnd, 'phase' | 'attempt'>) =>
  join(folderOf(store, run), `${phase}-${attempt}.md`)

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
