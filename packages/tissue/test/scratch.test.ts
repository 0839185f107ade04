import { readFileSync } from 'node:fs'
import { ulid } from '@switchyard/ground/ulid'
import { expect, it } from 'vitest'
import { decideBatch, parseBatch } from '../src/change/batch.ts'
import { viewsOf } from '../src/issue/issue.ts'
import { applyRecord, settle } from '../src/log/fold.ts'
import { foldRecords } from '../src/log/fold-all.ts'
import { writeLines } from '../src/log/write-lines.ts'
import { fixture } from './fixture.ts'

const actor = { by: 'ada', at: 1_800_000_000_000 }
const acts = [
  { verb: 'new', name: 'a', title: 'A', parent: 'k3vd', key: 'once' },
  { verb: 'claim', id: 'a' },
  { verb: 'tag add', id: 'k3vd', tag: ['x', 'y'] },
  { verb: 'edit', id: 'k3vd', title: 'T', meta: { a: 'b' }, add_ref: 'r' },
  { verb: 'comment', id: 'k3vd', message: 'm' },
  { verb: 'block', id: 'k3vd', by: 'a' },
  { verb: 'close', id: 'a' },
  { verb: 'reopen', id: 'm5t0' },
]

function foldFixture() {
  const lines = readFileSync(fixture, 'utf8').trimEnd().split('\n')
  return foldRecords(lines.map((line) => JSON.parse(line)))
}

it('a batch is tried on a copy: the ledger it was decided on stays as it was', () => {
  const ledger = foldFixture()
  const numbered = parseBatch(
    acts.map((act) => JSON.stringify(act)),
    actor.at,
    () => actor.by,
  )
  decideBatch(ledger, numbered, actor, { root: '/auth', ulid: () => ulid(actor.at) })
  expect(ledger).toEqual(foldFixture())
})

it('what was tried is what the log comes to', () => {
  const ledger = foldFixture()
  const numbered = parseBatch(
    acts.map((act) => JSON.stringify(act)),
    actor.at,
    () => actor.by,
  )
  const { entries, rows } = decideBatch(ledger, numbered, actor, { root: '/auth', ulid: () => ulid(actor.at) })
  const [line, ...rest] = writeLines(entries, ledger, { by: actor.by, now: () => actor.at, ulid })
  expect(rest).toEqual([])
  expect(applyRecord(ledger, JSON.parse(line?.text ?? ''))).toBe('applied')
  settle(ledger)
  const { view, isOver } = viewsOf(ledger)
  const id = rows[0]?.id ?? ''
  expect(view(id)).toMatchObject({ status: 'closed', key: 'once' })
  expect(view('auth-k3vd7rm2w9ht')).toMatchObject({ title: 'T', tags: expect.arrayContaining(['x', 'y']), refs: ['r'] })
  expect(isOver('auth-m5t0j6y3e8bp')).toBe(false)
})
