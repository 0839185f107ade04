import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readLeases } from '../src/lease/log.ts'
import { leaseRecordSchema } from '../src/lease/schema.ts'
import { freshLeases } from './lease-bus.ts'

const formats = fileURLToPath(new URL('../../../docs/formats', import.meta.url))
const page = readFileSync(`${formats}/lease.md`, 'utf8')
const fixture = readFileSync(`${formats}/fixtures/leases.jsonl`, 'utf8')

function leasesWith(text: string) {
  const leases = freshLeases()
  mkdirSync(dirname(leases.log), { recursive: true })
  writeFileSync(leases.log, text)
  return leases
}

describe('docs/formats/lease.md', () => {
  it('has a fixture with each type of record, which the tool reads as the page says', () => {
    const { list, records, acquire } = leasesWith(fixture)
    const expected = [
      { id: '01KAH5T5A9Q3VX0W8ZK4M2N7P5', holder: 'bob', keys: ['deploy'], fence: 2, state: 'expired' },
      { id: '01KAH5T5A9Q3VX0W8ZK4M2N7P9', holder: 'carol', keys: ['docs/*.md'], fence: 3, state: 'held' },
    ]
    expect(list('--all')).toEqual(expected.map((lease) => expect.objectContaining(lease)))
    const known = records().filter((record) => leaseRecordSchema.safeParse(record).success)
    const types = leaseRecordSchema.options.map(({ shape }) => shape.type.value)
    expect(new Set(known.map(({ type }) => type))).toEqual(new Set(types))
    acquire('next')
    expect(records().at(-1)).toMatchObject({ fence: 4 })
  })

  it('has a checkpoint that says what all lines before it come to', () => {
    const { log } = leasesWith(fixture)
    const some = readLeases(log)
    expect(some.lines).toBe(0)
    writeFileSync(log, fixture.split('\n').slice(0, -2).concat('').join('\n'))
    const { leases } = readLeases(log)
    expect([leases.current, leases.fence]).toEqual([some.leases.current, some.leases.fence])
  })

  it('has an example that reads as it stands, and names every field', () => {
    const [, example = ''] = /```jsonl\n([^`]+)```/.exec(page) ?? []
    const { list } = leasesWith(example)
    expect(list('--all')).toEqual([expect.objectContaining({ holder: 'alice', until: 1763765800000 })])
    for (const { shape } of leaseRecordSchema.options)
      for (const field of Object.keys(shape)) expect(page).toContain(`\`${field}\``)
    for (const line of example.trim().split('\n')) expect(fixture).toContain(line)
  })
})
