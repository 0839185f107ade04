// Several acts as one: each sees what those before it did, and all of them are in the log or none.
import { Failure, isFailure } from '@switchyard/ground/failure'
import { isTooDeep, parseRecord } from '@switchyard/jsonl'
import { findIssue } from '../issue/issue.ts'
import type { NewEntry } from '../log/draft.ts'
import type { Ledger } from '../log/fold.ts'
import { type Act, parseAct } from '../schema/act-schema.ts'
import type { Acted } from '../schema/schemas.ts'
import { openFaults } from '../text/faults.ts'
import { type Outcome, readAct, type Step } from './act.ts'
import type { Actor } from './fence.ts'
import type { IdSource } from './new-issue.ts'
import { openScratch } from './scratch.ts'

/** More in one write would keep other writers waiting too long. */
const actsMax = 10_000

/** An act and the line it stood on, from 1. */
export type NumberedAct = { readonly line: number; readonly act: Act; readonly step: Step }

/** Reads the acts of a batch, one a line; `me` says who calls. Exits 2, naming the lines, when one of them is none. */
export function parseBatch(lines: Iterable<string>, now: number, me: () => string): NumberedAct[] {
  const faults = openFaults('acts, one a line')
  const acts: NumberedAct[] = []
  let line = 0
  for (const text of lines) {
    line += 1
    if (text.trim() === '') continue
    const record = isTooDeep(text) ? undefined : parseRecord({ text })
    const read = record ? parseAct(record) : { faults: 'is no JSON object' }
    if ('faults' in read) {
      faults.add(`line ${line}: ${read.faults}`)
      continue
    }
    const { act } = read
    const step = faults.collect(`line ${line}`, () => readAct(act, now, me))
    if (step) acts.push({ line, act, step })
  }
  faults.refuse()
  if (acts.length > actsMax) throw new Failure('usage', `expected at most ${actsMax} acts, got ${acts.length}`)
  return acts
}

/**
 * What a batch writes, one line, and what became of each act. Fails as the verb of the first act that cannot be done,
 * naming its line.
 */
export function decideBatch(
  ledger: Ledger,
  acts: readonly NumberedAct[],
  actor: Actor,
  source: IdSource,
): { entries: NewEntry[]; rows: Acted[] } {
  const scratch = openScratch(ledger, { by: actor.by, now: () => actor.at, ulid: source.ulid })
  const names = new Map<string, string>()
  const find = (name: string) => names.get(name) ?? findIssue(scratch.ledger, name)
  const rows = acts.map((numbered) => {
    const { line, act } = numbered
    const before = scratch.events.length
    const outcome = atLine(numbered, (): Outcome => {
      if (act.verb === 'new' && act.name !== undefined && names.has(act.name))
        throw new Failure('usage', `the name ${JSON.stringify(act.name)} stands for another issue already`)
      return numbered.step({ ledger: scratch.ledger, actor, source, find })
    })
    scratch.add(outcome.entries)
    if (act.verb === 'new' && act.name !== undefined) names.set(act.name, outcome.id)
    const comment = scratch.events.slice(before).find(({ type }) => type === 'commented')
    return {
      v: 1 as const,
      line,
      verb: act.verb,
      id: outcome.id,
      changed: scratch.events.length > before,
      ...(act.verb === 'new' && act.name !== undefined ? { name: act.name } : {}),
      ...(comment ? { comment: comment.id } : {}),
    }
  })
  const { events } = scratch
  return { entries: events.length > 0 ? [{ type: 'batch', drafts: events, made: events }] : [], rows }
}

/** Whatever an act fails with, it says where it stood. */
function atLine<T>({ line, act }: NumberedAct, decide: () => T): T {
  try {
    return decide()
  } catch (error) {
    if (!isFailure(error)) throw error
    throw new Failure(error.kind, `line ${line} (${act.verb}): ${error.message}`, {
      hint: error.hint === undefined ? 'nothing was written' : `${error.hint}; nothing was written`,
      ...(error.retryable ? {} : { retryable: false }),
      cause: error,
    })
  }
}
