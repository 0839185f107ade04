import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transact } from '@switchyard/jsonl'
import { run, scaled, tempFolder } from '@switchyard/testkit'
import { locateStore } from '@switchyard/topic'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decideAcquire, decideRelease, decideRenew } from '../src/lease/decide.ts'
import { foldLease, isInTheWay, noLeases } from '../src/lease/fold.ts'
import { changeLeases, type Decide, leaseLog, readLeases, type Section } from '../src/lease/log.ts'
import { isLeaseRecord } from '../src/lease/record.check.ts'
import { leaseRecordSchema } from '../src/lease/schema.ts'
import { freshLeases } from './lease-bus.ts'

/** A store that no repository has, and how names act on it at times they believe in. */
function freshStore() {
  const cwd = tempFolder('leases')
  const store = locateStore({ cwd, env: {}, name: '.jwz', variable: 'JWZ_STORE' })
  const change = (from: string, at: number, decide: Decide, section?: Section) =>
    changeLeases(store, { from, now: () => at }, decide, section ? { section } : {})
  const acquire = (from: string, at: number, key: string, ttlMs = 1000, section?: Section) =>
    change(
      from,
      at,
      (leases, actor) => decideAcquire(leases, actor, { keys: [key], mode: 'exclusive', ttlMs, reason: undefined }),
      section,
    )
  const renew = (from: string, at: number, key: string) =>
    change(from, at, (leases, actor) => decideRenew(leases, actor, [{ key }], { ttlMs: 1000, reason: undefined }))
  const release = (from: string, at: number, key: string) =>
    change(from, at, (leases, actor) => decideRelease(leases, actor, [{ key }]))
  return { cwd, store, log: leaseLog(store), acquire, renew, release, change }
}

/** What a lock that does not lock comes to: the section is entered whoever is inside. */
const brokenSection: Section = async (_path, body) => body()

/** Holders of a key, by the whole log and by what follows its last checkpoint: they have to be the same. */
function holders(log: string, key: string): string[] {
  const [some, all] = [false, true].map((whole) => readLeases(log, { whole }).leases)
  expect(some?.current).toEqual(all?.current)
  expect(some?.fence).toEqual(all?.fence)
  return [...(all?.current.values() ?? [])].filter(({ keys }) => keys.includes(key)).map(({ holder }) => holder)
}

describe('the fold of leases', () => {
  it('lets no two of different holders stand in each other’s way, whatever clocks they go by', async () => {
    const step = fc.record({
      act: fc.constantFrom('acquire', 'renew', 'release'),
      from: fc.constantFrom('ann', 'bob', 'cid'),
      key: fc.constantFrom('deploy', 'src/**', 'src/a', '**/a'),
      // Clocks that are hours apart, in both directions.
      at: fc.integer({ min: -4000, max: 4000 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const store = freshStore()
        let fence = 0
        for (const { act, from, key, at } of steps) {
          const verb = act === 'acquire' ? store.acquire : act === 'renew' ? store.renew : store.release
          await verb(from, at, key).catch((error: { exitCode: number }) => expect([3, 5]).toContain(error.exitCode))
          const { leases } = readLeases(store.log)
          expect(leases.fence).toBeGreaterThanOrEqual(fence)
          fence = leases.fence
          const standing = [...leases.current.values()]
          for (const one of standing)
            for (const other of standing) expect(isInTheWay(one, { ...other, from: other.holder })).toBe(false)
        }
      }),
      { numRuns: scaled(200) },
    )
  })

  it('has one acknowledged holder when the lock does not lock, and the loser is told who', async () => {
    const { log, acquire, change } = freshStore()
    let calls = 0
    let between: Promise<unknown> | undefined
    const slow = change(
      'slow',
      1,
      (leases, actor) => {
        calls += 1
        const records = decideAcquire(leases, actor, { keys: ['a'], mode: 'exclusive', ttlMs: 1000, reason: undefined })
        // Between the decision in the section and the write of it.
        if (calls === 2) between = acquire('quick', 1, 'a', 1000, brokenSection)
        return records
      },
      brokenSection,
    )
    await expect(slow).rejects.toMatchObject({ exitCode: 5, message: expect.stringContaining('quick holds it') })
    await between
    expect(holders(log, 'a')).toEqual(['quick'])
  })

  it('acknowledges a lease whose lock was taken away behind it', async () => {
    const { log, acquire } = freshStore()
    const lossy: Section = async (path, body) => {
      body()
      return transact(path, () => {
        throw Object.assign(new Error('lost'), { name: 'Failure', kind: 'conflict', exitCode: 5 })
      })
    }
    expect((await acquire('ann', 1, 'a', 1000, lossy)).written).toHaveLength(1)
    expect(holders(log, 'a')).toEqual(['ann'])
  })

  it('makes the renewal void that comes behind a take-over, and the take-over that comes behind a renewal', () => {
    const leases = noLeases()
    const base = { v: 1, at: 1, keys: ['a'], until: 1, reason: null } as const
    const taken = { ...base, type: 'acquire', mode: 'exclusive' } as const
    const fold = (record: object) => isLeaseRecord(record) && foldLease(leases, record, 0)
    const first = { ...taken, id: 'L1', lease: 'L1', from: 'ann', fence: 1, replaces: [] }
    const renewal = { ...base, type: 'renew', id: 'R1', lease: 'L1', from: 'ann', replaces: ['L1'] }
    const late = { ...taken, id: 'L2', lease: 'L2', from: 'bob', fence: 2, replaces: ['L1'] }
    expect([fold(first), fold(first), fold(renewal), fold(renewal), fold(late)]).toEqual([
      true,
      false,
      true,
      false,
      false,
    ])
    expect(fold({ ...late, id: 'L3', lease: 'L3', replaces: [] })).toBe(false)
    expect(fold({ ...late, id: 'L4', lease: 'L4', replaces: ['R1'], fence: 3 })).toBe(false)
    expect(fold({ ...late, id: 'L5', lease: 'L5', replaces: ['R1', 'other'] })).toBe(false)
    expect(fold({ ...late, id: 'L6', lease: 'L6', replaces: ['R1'] })).toBe(true)
    expect(fold({ ...renewal, id: 'R2', replaces: ['R1'] })).toBe(false)
    expect(fold({ ...renewal, type: 'release', id: 'R3', lease: 'L6', replaces: ['L6'] })).toBe(false)
    expect([...leases.current.keys()]).toEqual(['L6'])
  })
})

describe('a long history', () => {
  it('is read back to the last checkpoint only, and means the same as all of it', async () => {
    const { log, acquire, renew, store } = freshStore()
    await acquire('ann', 1, 'kept', 1e9)
    await acquire('bob', 1, 'over', 1)
    await acquire('old', -2 * 86_400_000, 'forgotten', 1)
    for (let at = 0; at < 300; at++) await renew('ann', at, 'kept')
    const types = readFileSync(log, 'utf8')
      .split('\n')
      .map((line) => /"type":"(\w+)"/.exec(line)?.[1])
    expect(types.filter((type) => type === 'base')).toHaveLength(1)
    expect(readLeases(log).lines).toBeLessThan(60)
    expect(holders(log, 'kept')).toEqual(['ann'])
    expect([...readLeases(log).leases.current.values()].map(({ holder }) => holder)).toEqual(['ann', 'bob'])
    const { leases } = readLeases(log, { whole: true })
    expect([...leases.ended.values()]).toEqual([{ how: 'forgotten', by: 'ann' }])
    const args = ['lease', 'acquire', 'next', '--json', '--store', store.path]
    expect(JSON.parse(run('jwz', args, { cwd: tempFolder() }).stdout)).toMatchObject({ fence: 4 })
  })

  it('passes over a checkpoint that does not begin where it says', async () => {
    const { log, acquire } = freshStore()
    await acquire('ann', 1, 'a')
    const text = readFileSync(log, 'utf8')
    const checkpoint = {
      v: 1,
      id: 'B1',
      type: 'base',
      at: 1,
      from: 'eve',
      offset: text.length + 1,
      fence: 9,
      leases: [],
    }
    writeFileSync(log, `${text}${JSON.stringify(checkpoint)}\n`)
    expect(holders(log, 'a')).toEqual(['ann'])
    writeFileSync(log, `${text}${JSON.stringify({ ...checkpoint, offset: text.length })}\n`)
    expect(holders(log, 'a')).toEqual([])
  })

  it('says after many records who took a lease over', () => {
    const { lease, acquire, log } = freshLeases()
    const id = acquire('a')
    expect(lease('acquire', '--steal', 'a', '--as', 'bob', '--reason', 'x').code).toBe(0)
    const offset = readFileSync(log).length
    const { leases } = readLeases(log)
    const checkpoint = {
      v: 1,
      id: 'B1',
      type: 'base',
      at: 1,
      from: 'x',
      offset,
      fence: 2,
      leases: [...leases.current.values()],
    }
    writeFileSync(log, `${JSON.stringify(checkpoint)}\n`, { flag: 'a' })
    expect([lease('acquire', '--renew', id).stderr, lease('acquire', '--renew', id).code]).toEqual([
      expect.stringContaining('bob has it'),
      5,
    ])
  })
})

describe('the records of the log', () => {
  it('are the same to the schema and to the check by hand', () => {
    const text = fc.constantFrom('', 'a', 'exclusive', 'shared')
    const value = fc.oneof(
      text,
      fc.constantFrom(null, 0, 1, 1.5, -1, Number.NaN, 'x'.repeat(129)),
      fc.array(text),
      fc.constant([{}]),
    )
    const standing = {
      id: 'a',
      holder: 'a',
      keys: ['a'],
      mode: 'shared',
      at: 1,
      until: 1,
      reason: null,
      fence: 1,
      head: 'a',
    }
    const whole = { ...standing, v: 1, from: 'a', lease: 'a', replaces: ['a'], offset: 1, leases: [standing] }
    const type = fc.constantFrom('acquire', 'steal', 'renew', 'release', 'base', 'other')
    const field = fc.constantFrom(...Object.keys(whole), 'former')
    fc.assert(
      fc.property(type, field, value, fc.boolean(), (kind, name, changed, isInner) => {
        const inner = isInner ? { leases: [{ ...standing, [name]: changed }] } : { [name]: changed }
        const record = { ...whole, type: kind, ...inner }
        expect([record, isLeaseRecord(record)]).toEqual([record, leaseRecordSchema.safeParse(record).success])
      }),
      { numRuns: 2000 },
    )
  })

  it('are read from a log that is a folder or is not there without a fault of ours', () => {
    const cwd = tempFolder('odd')
    mkdirSync(join(cwd, '.jwz/leases.jsonl'), { recursive: true })
    for (const verb of [['list'], ['acquire', 'a'], ['check', 'a']])
      expect(run('jwz', ['lease', ...verb], { cwd }).code).toBe(1)
  })
})
