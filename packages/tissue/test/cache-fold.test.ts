import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isFailure } from '@switchyard/ground/failure'
import { scaled, tempFolder } from '@switchyard/testkit'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readLog } from '../src/cache/reading.ts'
import { saveCache } from '../src/cache/save-cache.ts'
import { commentsOf, findIssue, findKeyed, isOver, isTaken, shortNames, viewsOf } from '../src/issue/issue.ts'
import { applyRecord, emptyLedger, type Ledger } from '../src/log/fold.ts'
import { readyIds } from '../src/ready/ready.ts'
import type { Issue } from '../src/schema/schemas.ts'
import { waitingIds, waitingViews } from '../src/view/blocked.ts'
import { type StaleIssue, staleIssues } from '../src/view/stale.ts'
import { hasWhole, wholeViews } from '../src/view/whole.ts'

type Fields = Record<string, unknown>

const issues = [
  ...['app-k3vd0000000a', 'app-k3vd0000000b', 'app-k3ve0000000c', 'old-app-k3vd0000000a', 'app-x9qa0000000d'],
  ...['app-x9qa0000000e', 'app-m', 'app-m5t00000000f', 'app-zzzz0000000g', 'app-zzzz00000'],
]
const names = [...issues, 'k3', 'k3vd', 'K3VD0000000B', 'x9qa0000000d', 'm', 'app-z', 'app-', '', 'old-app-k', 'none']
const keys = ['one', 'two', 'a long key with "quotes" [" and ☃', 'deepscan:0000000000000001']
const statuses = ['open', 'in_progress', 'paused', 'deferred', 'closed', 'closed', 'duplicate']
const kinds = ['blocks', 'relates', 'parent', 'parent', 'discovered-from']

/** A log in which everything happens that two clones may do, and the ledger of each of its beginnings. */
class Writer {
  readonly lines: string[] = []
  readonly ledger: Ledger = emptyLedger()
  readonly random: () => number
  private seq = 0
  private count = 0

  constructor(seed: number) {
    let state = seed >>> 0
    this.random = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state / 2 ** 32
    }
  }

  pick<T>(values: readonly T[]): T {
    const value = values[Math.floor(this.random() * values.length)]
    if (value === undefined) throw new Error('bug: nothing to pick from')
    return value
  }

  write(): void {
    const chance = this.random()
    if (chance < 0.02) this.lines.push('{"v":1,"id":"torn')
    else if (chance < 0.05 && this.lines.length > 0) this.add(this.pick(this.lines))
    else if (chance < 0.1)
      this.add(JSON.stringify(this.stamped({ type: 'batch', events: [this.event(), this.event()] })))
    else this.add(JSON.stringify(this.event()))
  }

  private add(line: string): void {
    this.lines.push(line)
    if (!line.includes('torn')) applyRecord(this.ledger, JSON.parse(line))
  }

  private stamped(fields: Fields): Fields {
    this.count += 1
    // Sometimes the line of another clone, which has not seen the newest.
    this.seq += this.random() < 0.04 ? -2 : 1
    const at = 1_700_000_000_000 + this.count * 60_000
    const id = `E${String(this.count).padStart(5, '0')}${this.pick(['A', 'B'])}`
    return { v: 1, id, seq: Math.max(1, this.seq), at, by: this.pick(['ada', 'bob']), ...fields }
  }

  private event(): Fields {
    const issue = this.pick(issues)
    const state = this.ledger.issues.get(issue)
    const status = state?.fields.status
    const heads = { status: status ? [status.id] : [] }
    const body = this.pick(['', 'short', 'long '.repeat(200)])
    const tag = this.pick(['red', 'blue'])
    if (!state?.created && this.random() < 0.8) return this.stamped(this.created(issue, body, tag))
    return this.stamped(
      this.pick<() => Fields>([
        () => this.created(issue, body, tag),
        () => ({ type: 'edited', issue, body, meta: { area: this.pick(['a', null]) }, add_refs: ['gh-1'] }),
        () => ({
          type: 'edited',
          issue,
          title: this.pick(['T1', 'T2']),
          replaces: { title: [state?.fields.title?.id ?? 'x'] },
        }),
        () => ({ type: 'status', issue, status: this.pick(statuses), replaces: heads }),
        () => ({ type: 'status', issue, status: this.pick(statuses) }),
        () => ({ type: 'closed', issue, reason: 'done', replaces: heads }),
        () => ({ type: 'closed', issue, replaces: heads, ...(state?.claim ? { fence: state.claim.id } : {}) }),
        () => ({ type: 'commented', issue, body }),
        () => ({ type: this.pick(['tagged', 'untagged']), issue, tag }),
        () => ({
          type: this.pick(['linked', 'linked', 'unlinked']),
          issue,
          kind: this.pick(kinds),
          target: this.pick(issues),
        }),
        () => ({
          type: 'claimed',
          issue,
          until: 1_700_000_000_000 + this.count * 61_000,
          expect: state?.claim?.head ?? null,
        }),
        () => ({ type: 'claimed', issue, until: 5e12, expect: null, leases: ['src/**'] }),
        () => ({ type: 'released', issue, expect: state?.claim?.head ?? 'none', note: body, to: 'bob' }),
        ...(this.random() < 0.3 ? [() => ({ type: 'deleted', issue, expect: status?.id ?? 'none' })] : []),
        () => ({
          type: 'configured',
          ...this.pick<Fields>([{ prefix: 'new' }, { settings: { lease: this.pick(['1h', null]) } }]),
        }),
        () => ({ type: 'sprinted', issue, points: 3 }),
      ])(),
    )
  }

  private created(issue: string, body: string, tag: string): Fields {
    const links = [{ kind: this.pick(kinds), from: this.pick(issues), to: this.pick([issue, ...issues]) }]
    return {
      ...{ type: 'created', issue, title: `About ${issue}`, body, priority: this.pick([1, 2, 3]), tags: [tag] },
      ...(this.random() < 0.5 ? { key: this.pick(keys) } : {}),
      ...(this.random() < 0.3 ? { blocked_by: [this.pick(issues)] } : {}),
      ...(this.random() < 0.3 ? { links } : {}),
    }
  }
}

function outcome(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    if (!isFailure(error)) throw error
    return [error.exitCode, error.message]
  }
}

/** All that a verb which works on open issues can see. */
function seen({ ledger, damaged }: { ledger: Ledger; damaged: number }) {
  const { ids, view } = viewsOf(ledger)
  const open = ids.filter((id) => !isOver(view(id).status))
  const short = shortNames(ledger)
  const now = 1_700_000_500_000
  return {
    damaged,
    maxSeq: ledger.maxSeq,
    prefix: ledger.prefix,
    settings: [...ledger.settings],
    open: open.map((id) => JSON.stringify({ ...view(id), comments: commentsOf(ledger, id) })),
    ready: readyIds(ledger, now),
    waiting: waitingIds(ledger, now).map(waitingViews(ledger, now)),
    stale: staleIssues(open.map(view), { now, restMs: 60_000 }).map(staleText),
    names: names.map((name) => outcome(() => findIssue(ledger, name))),
    shorts: issues.map(short),
    keys: keys.map((key) => findKeyed(ledger, key)),
  }
}

function staleText({ id, stale }: StaleIssue): string {
  return `${id} ${stale}`
}

function countLinkedOver(views: readonly Issue[]): number {
  return views.flatMap(({ linked = [] }) => linked.filter(({ status }) => isOver(status))).length
}

it('says on a snapshot and what came after it the same as on the whole log, wherever the cut is', () => {
  const folder = tempFolder('cache-fold')
  let onSnapshot = 0
  let linkedOver = 0
  let run = 0
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      run += 1
      const store = join(folder, String(run))
      mkdirSync(store)
      const log = join(store, 'issues.jsonl')
      writeFileSync(log, '')
      const writer = new Writer(seed)
      const append = (count: number) => {
        const from = writer.lines.length
        for (let line = 0; line < count; line += 1) writer.write()
        appendFileSync(
          log,
          writer.lines
            .slice(from)
            .map((line) => `${line}\n`)
            .join(''),
        )
      }
      append(20 + Math.floor(writer.random() * 60))
      saveCache(log, readLog(log, 'everything'), 0)
      for (let cut = 0; cut < 4; cut += 1) {
        append(Math.floor(writer.random() * 5))
        const reading = readLog(log, { openOnly: [] })
        if (reading.ledger.elsewhere) onSnapshot += 1
        const whole = readLog(log, 'everything')
        expect(seen(reading)).toEqual(seen(whole))
        const shown = issues.filter((id) => hasWhole(reading.ledger, id))
        const [some, same] = [reading, whole].map(({ ledger }) => shown.map(wholeViews(ledger, 1_700_000_500_000)))
        expect(some?.map((issue) => JSON.stringify(issue))).toEqual(same?.map((issue) => JSON.stringify(issue)))
        if (reading.ledger.elsewhere) linkedOver += countLinkedOver(some ?? [])
        const taken = issues.filter((id) => isTaken(whole.ledger, id))
        expect(taken.filter((id) => !isTaken(reading.ledger, id))).toEqual([])
        // What is written on top of a snapshot is one again.
        if (writer.random() < 0.5) saveCache(log, reading, 0)
      }
    }),
    { numRuns: scaled(600) },
  )
  expect(onSnapshot).toBeGreaterThan(run)
  expect(linkedOver).toBeGreaterThan(run / 10)
})
