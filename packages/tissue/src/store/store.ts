// The only disk here: `.tissue/issues.jsonl` and the two files that tell git how to treat it.

import { lstatAt, statAt } from '@switchyard/ground/at-path'
import { readStored } from '@switchyard/ground/disk'
import { Failure, isFailure } from '@switchyard/ground/failure'
import { join, mkdirSync } from '@switchyard/ground/machine'
import { writePlainFile } from '@switchyard/ground/plain-file'
import { type Line, parseRecord, readLines, transact } from '@switchyard/jsonl'
import { locateStore, type Store } from '@switchyard/topic'
import type { Need } from '../cache/need.ts'
import { type LogReading, readLog } from '../cache/reading.ts'
import type { EventFate } from '../log/fold.ts'
import { foldAll } from '../log/fold-all.ts'
import { refuseLater } from '../log/refuse-later.ts'
import { type Author, type NewLine, singlesOf } from '../log/write-lines.ts'
import { isKnownEvent } from '../schema/event.check.ts'
import type { SingleEvent } from '../schema/event-schema.ts'
import { asRefusal, orRefused } from '../text/refusal.ts'
import { appendEvents, type Decide, type Written } from './append-events.ts'

const ignoreAll = '*\n'
/** What stands in the files that tell git how to treat a store which is not private. */
export const gitFiles = { '.gitignore': '*.lock*\n', '.gitattributes': 'issues.jsonl merge=union\n' } as const

/** Where the issues are; nothing need exist yet. */
export type IssueStore = Store & { readonly log: string }

/** Runs `body` while no other process does. */
export type Section = <T>(path: string, body: () => T) => Promise<T>

/** `onAppend` is told inside the section what is about to be appended. */
export type CommitOptions = {
  readonly need?: Need
  readonly section?: Section
  readonly onAppend?: ((lines: readonly NewLine[]) => void) | undefined
}

type Opening = { cwd: string; env: Readonly<Record<string, string | undefined>>; override?: string | undefined }

/**
 * Finds the store of the current folder, by the rules every tool shares. Exits 1 when what is in its place, or in that
 * of its log, leads nowhere.
 */
export function openStore({ cwd, env, override }: Opening): IssueStore {
  const store = locateStore({ cwd, env, name: '.tissue', variable: 'TISSUE_STORE', override })
  const log = join(store.path, 'issues.jsonl')
  // To readers of logs that is as good as no log, but whoever has it would take it for an empty one.
  if (!orRefused(log, () => isThere(log)) && lstatAt(log)?.isSymbolicLink()) {
    throw new Failure('failed', `expected the log ${log}, it is a link that leads nowhere`, { hint: 'mend the link' })
  }
  return { ...store, log }
}

/** Folds the log of a store, which may not exist, as far as it is needed. */
export function readLedger(log: string, need: Need = 'everything'): LogReading {
  return orRefused(log, () => readLog(log, need))
}

/** Changes whenever the log does, be it written to or replaced; undefined while it is not there. */
export function stampOf(log: string): string | undefined {
  const found = orRefused(log, () => statAt(log))
  return found && [found.ino, found.size, found.mtimeMs].join(' ')
}

/** Every complete line of the log with its record; undefined for one that is damaged. */
export function* readRecords(log: string): Generator<{ line: Line; record: Record<string, unknown> | undefined }> {
  try {
    for (const line of readLines(log)) yield { line, record: parseRecord(line) }
  } catch (error) {
    throw asRefusal(log, error)
  }
}

/** Every event of the log that this version understands, one by one. */
export function* readEvents(log: string): Generator<SingleEvent> {
  for (const { record } of readRecords(log)) if (record && isKnownEvent(record)) yield* singlesOf(record)
}

/** The line of each event, by its id; the first where there are several. */
export function readTexts(log: string): Map<string, string> {
  const texts = new Map<string, string>()
  for (const { line, record } of readRecords(log)) {
    if (typeof record?.['id'] === 'string' && !texts.has(record['id'])) texts.set(record['id'], line.text)
  }
  return texts
}

/**
 * The lines that `export` gives: each event once and none that was taken back; all that are JSON objects with `all`.
 * Beside them how many were none, and the fold of the log.
 */
export function readEventLines(log: string, { all }: { all: boolean }) {
  const verdicts: EventFate[] = []
  let damaged = 0
  function* objects(): Generator<Record<string, unknown>> {
    damaged = 0
    for (const { record } of readRecords(log)) {
      if (record) yield record
      else damaged += 1
    }
  }
  const ledger = foldAll(objects, {
    record: (_, verdict) => verdicts.push(verdict),
    restart: () => {
      verdicts.length = 0
    },
  })
  function* lines(): Generator<{ text: string; record: Record<string, unknown> }> {
    let at = -1
    for (const { line, record } of readRecords(log)) {
      if (record === undefined) continue
      at += 1
      const verdict = verdicts[at]
      if (all || verdict === 'unknown' || verdict === 'applied') yield { text: line.text, record }
    }
  }
  return { ledger, damaged, lines: lines() }
}

/**
 * Writes what `decide` asks for, or nothing; returns once it is on disk, was read back and is valid there.
 * Exits 5 when another writer came first after all, 6 when the section could not be had.
 */
export async function commit(
  store: IssueStore,
  author: Author,
  decide: Decide,
  { need = 'everything', section = transact, onAppend }: CommitOptions = {},
): Promise<Written> {
  const reading = readLedger(store.log, need)
  // A loser, or a verb with nothing to do, neither waits for the lock nor makes a store.
  if (decide(reading.ledger).length === 0) return { events: [], created: [], reading }
  refuseLater(reading.ledger)
  createStore(store, {})
  const done: { written?: Written } = {}
  try {
    return await section(store.log, () => {
      done.written = appendEvents(store.log, author, decide, reading, { need, onAppend })
      return done.written
    })
  } catch (error) {
    // What was read back and counts, counts, whatever became of the lock: it only saves losers the work.
    if (done.written && isFailure(error)) return done.written
    throw asRefusal(store.log, error)
  }
}

/** Makes the folder and git's two files, or what is missing of them. */
export function createStore(store: IssueStore, { isPrivate = false }: { isPrivate?: boolean | undefined }): void {
  orRefused(store.path, () => {
    if (isPrivate || !isThere(store.log)) layOut(store.path, isPrivate)
  })
}

/** Whether the store exists, and whether it hides itself from git. */
export function describeStore({ path, log }: IssueStore): { exists: boolean; private: boolean } {
  return orRefused(path, () => {
    return { exists: isThere(log), private: readStored(join(path, '.gitignore')) === ignoreAll }
  })
}

function layOut(path: string, isPrivate: boolean): void {
  mkdirSync(path, { recursive: true })
  const ignore = join(path, '.gitignore')
  // A maker killed half-way leaves an empty file: only one with words in it stays as it is.
  if (isPrivate) writePlainFile(ignore, ignoreAll)
  else if (readOrEmpty(ignore) === '') writePlainFile(ignore, gitFiles['.gitignore'])
  const gitAttributes = join(path, '.gitattributes')
  if (readOrEmpty(gitAttributes) === '') writePlainFile(gitAttributes, gitFiles['.gitattributes'])
}

function isThere(path: string): boolean {
  return statAt(path) !== undefined
}

function readOrEmpty(path: string): string {
  return readStored(path) ?? ''
}
