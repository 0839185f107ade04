// Logs of the version before claims were confirmed. Its rules, as they were bundled then, stand in `former/rules.txt`:
// how it decided, wrote and folded.
import { readFileSync } from 'node:fs'
import { isFailure } from '@switchyard/ground/failure'
import { run, scaled, tempRepo } from '@switchyard/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Wish } from '../src/change/claim.ts'
import type { decideClose, decideReopen, decideStatus } from '../src/change/close.ts'
import type { Actor } from '../src/change/fence.ts'
import type { decideRelease } from '../src/change/release.ts'
import type { decideRenewal } from '../src/change/renewal.ts'
import { commentsOf, viewsOf } from '../src/issue/issue.ts'
import type { Draft } from '../src/log/draft.ts'
import type { Ledger } from '../src/log/fold.ts'
import { foldRecords } from '../src/log/fold-all.ts'
import type { writeLines } from '../src/log/write-lines.ts'
import { fixture, recordsIn } from './fixture.ts'
import { tissue } from './tissue.ts'

type Former = {
  readonly decideClaim: (ledger: Ledger, id: string, actor: Actor, wish: Wish) => Draft
  readonly decideHeartbeat: typeof decideRenewal
  readonly decideClose: typeof decideClose
  readonly decideReopen: typeof decideReopen
  readonly decideStatus: typeof decideStatus
  readonly decideRelease: typeof decideRelease
  readonly writeLines: typeof writeLines
  readonly foldRecords: typeof foldRecords
  readonly viewsOf: typeof viewsOf
  readonly commentsOf: typeof commentsOf
}
type Fields = Record<string, unknown>

const former = loadFormer()
const ids = ['app-aaaa00000001', 'app-bbbb00000002']

function loadFormer(): Former {
  const module = { exports: {} as Former }
  const text = readFileSync(new URL('./former/rules.txt', import.meta.url), 'utf8')
  new Function('module', text)(module)
  return module.exports
}

/** All that the verbs show of a log: by the rules of then, or of now. */
function shown(rules: Pick<Former, 'foldRecords' | 'viewsOf' | 'commentsOf'>, records: readonly Fields[]) {
  const ledger = rules.foldRecords(records)
  const { ids: all, view } = rules.viewsOf(ledger)
  return all.map((id) => JSON.parse(JSON.stringify({ ...view(id), comments: rules.commentsOf(ledger, id) })))
}
const now = { foldRecords, viewsOf, commentsOf }

type Act = { who: string; issue: string; what: number; waitMs: number; other: string }

const act: fc.Arbitrary<Act> = fc.record({
  who: fc.constantFrom('ada', 'bob', 'eve'),
  issue: fc.constantFrom(...ids),
  what: fc.nat({ max: 11 }),
  waitMs: fc.constantFrom(1, 10, 400, 2_000),
  other: fc.constantFrom('ada', 'bob', 'eve'),
})

/** What this act writes by the rules of then; nothing where they refuse it. */
function decide(ledger: Ledger, { who, issue, what, other }: Act, at: number): Draft[] {
  const actor = { by: who, at }
  const ttlMs = 1_000
  const acts: (() => Draft[])[] = [
    () => [former.decideClaim(ledger, issue, actor, { ttlMs })],
    () => [former.decideClaim(ledger, issue, actor, { ttlMs: 100 })],
    () => [former.decideHeartbeat(ledger, issue, actor)],
    () => former.decideRelease(ledger, issue, actor, { to: other, note: 'on' }),
    () => former.decideRelease(ledger, issue, actor),
    () => former.decideClose(ledger, [issue], actor, { reason: who }),
    () => former.decideClose(ledger, [issue], actor, { force: true }),
    () => former.decideReopen(ledger, [issue], {}),
    () => former.decideStatus(ledger, issue, 'paused', actor, { reason: 'rest' }),
    () => former.decideStatus(ledger, issue, 'in_progress', actor, {}),
    () => [{ type: 'commented', issue, body: 'x' }],
    () => [{ type: 'deleted', issue, expect: ledger.issues.get(issue)?.fields.status?.id ?? '' }],
  ]
  try {
    return acts[what]?.() ?? []
  } catch (error) {
    // Also what cannot be done to an issue that was deleted.
    if (isFailure(error) || (error instanceof Error && error.message.startsWith('bug: '))) return []
    throw error
  }
}

describe('a log of a former version', () => {
  it('of one store shows what it showed: stale claims that were taken over, hand-overs, closes, deletions', () => {
    let claims = 0
    fc.assert(
      fc.property(fc.array(act, { minLength: 5, maxLength: 40 }), (acts) => {
        let at = 1_000
        let count = 0
        const records: Fields[] = []
        const write = (by: string, drafts: readonly Draft[]) => {
          const ulid = () => {
            count += 1
            return `E${String(count).padStart(4, '0')}`
          }
          const lines = former.writeLines(drafts, former.foldRecords(records), { by, now: () => at, ulid })
          records.push(...lines.map(({ text }) => JSON.parse(text)))
        }
        write(
          'ada',
          ids.map((issue) => ({ type: 'created', issue, title: issue, body: '', priority: 2, tags: [] })),
        )
        for (const one of acts) {
          at += one.waitMs
          write(one.who, decide(former.foldRecords(records), one, at))
        }
        claims += records.filter(({ type }) => type === 'claimed').length
        for (let end = 1; end <= records.length; end += 1)
          expect(shown(now, records.slice(0, end))).toEqual(shown(former, records.slice(0, end)))
        expect(shown(now, records.toReversed())).toEqual(shown(former, records))
      }),
      { numRuns: scaled(2_000, 20) },
    )
    expect(claims).toBeGreaterThan(scaled(2_000, 20))
  })

  it('with two claims made under a broken lock shows at each line what it showed', () => {
    const lines = readFileSync(fixture.replace('issues.jsonl', 'issues-former.jsonl'), 'utf8').trimEnd().split('\n')
    const records: Fields[] = lines.map((line) => JSON.parse(line))
    for (let end = 1; end <= records.length; end += 1)
      expect(shown(now, records.slice(0, end))).toEqual(shown(former, records.slice(0, end)))
    const [held] = shown(now, records.slice(0, 7))
    expect(held).toMatchObject({ claim: { by: 'ada' }, contested: [{ by: 'bob' }] })
  })
})

describe('a former program on a log of this version', () => {
  const issue = (root: string) => shown(former, recordsIn(root))[0]

  it('reads on, takes a claim for held before it is confirmed, and passes over what it does not know', () => {
    const root = tempRepo()
    const id = tissue(root, ['new', 'One']).stdout.trim()
    expect(tissue(root, ['claim', id]).code).toBe(0)
    expect(issue(root)).toMatchObject({ status: 'in_progress', claim: { by: 'ada' } })
    expect(tissue(root, ['close', id]).code).toBe(0)
    expect(issue(root)).toMatchObject({ status: 'closed', claim: null })
    expect(tissue(root, ['reopen', id]).code).toBe(0)
    expect(tissue(root, ['claim', id, '--ttl', '1h']).code).toBe(0)
    const unconfirmed = recordsIn(root).slice(0, -1)
    expect(shown(former, unconfirmed)[0]).toMatchObject({ claim: { by: 'ada' } })
    expect(shown(now, unconfirmed)[0]).toMatchObject({ status: 'open', claim: null })
  })

  it('writes what this version understands, also under a claim that this version made', () => {
    const root = tempRepo()
    const id = tissue(root, ['new', 'One']).stdout.trim()
    tissue(root, ['claim', id])
    const ledger = former.foldRecords(recordsIn(root))
    const actor = { by: 'ada', at: Date.now() }
    const ulid = () => '7ZZZZZZZZZZZZZZZZZZZZZZZZZ'
    const drafts = former.decideRelease(ledger, id, actor, { to: 'bob' })
    const [line] = former.writeLines(drafts, ledger, { by: 'ada', now: () => actor.at, ulid })
    const input = `${line?.text}\n`
    expect(run('tissue', ['import', '-'], { cwd: root, input }).code).toBe(0)
    expect(shown(now, recordsIn(root))[0]).toMatchObject({ status: 'open', claim: null, assignee: 'bob' })
  })
})
