import { appendFileSync, copyFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { messageSchema } from '@switchyard/topic/schema'
import { describe, expect, it } from 'vitest'
import { freshBus, ok } from './bus.ts'

const formats = new URL('../../../docs/formats/', import.meta.url)
const fixture = new URL('fixtures/topic.jsonl', formats)
const page = readFileSync(new URL('topic.md', formats), 'utf8')
const topic = 'issue:auth-123'

function busWith(fill: (file: string) => void) {
  const bus = freshBus()
  mkdirSync(dirname(bus.file(topic)), { recursive: true })
  fill(bus.file(topic))
  return bus
}

function busWithFixture() {
  return busWith((file) => copyFileSync(fixture, file))
}

function ids(stdout: string): string[] {
  return JSON.parse(stdout).map(({ id }: { id: string }) => id)
}

const fixtureIds = [
  '01KAH5T5A9Q3VX0W8ZK4M2N7PB',
  '01KAH5T8M1D6YF2R9S0C3E5GJK',
  '01KAH5TC00LATER0000000000X',
  '01KAH5TD9G1B2C3D4E5F6G7H8J',
]

describe('docs/formats/topic.md', () => {
  it('holds of reading: torn, blank and repeated lines, the seal and unknown types are skipped, unknown fields kept', () => {
    const { jwz } = busWithFixture()
    const { code, stdout, stderr } = jwz(['read', topic, '--json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'skipped 2 damaged or unknown lines; see jwz doctor\n' })
    expect(ids(stdout)).toEqual(fixtureIds)
    expect(JSON.parse(stdout)[2]).toMatchObject({ mood: { later: true } })
    for (const message of JSON.parse(stdout)) expect(messageSchema.safeParse(message).success).toBe(true)
  })

  it('holds of what a crash leaves: check counts the torn line and exits 0', () => {
    const { jwz } = busWithFixture()
    expect(jwz(['doctor', '--log'])).toEqual(ok(`${topic}: 5 records, 1 torn, 1 repeated, 0 corrupt\n`))
  })

  it('holds of order: sealed segments by name, then the active one, whatever the times say', () => {
    const { jwz, file } = busWithFixture()
    const record = (id: string) => `${JSON.stringify({ v: 1, id, at: 1, topic, from: 'x', body: id })}\n`
    renameSync(file(topic), file(topic).replace(/jsonl$/, '01KAH5TE00000000000000000Z.jsonl'))
    writeFileSync(file(topic).replace(/jsonl$/, '01KAH5TF000000000000000000.jsonl'), record('second-segment'))
    writeFileSync(file(topic), record('active'))
    expect(ids(jwz(['read', topic, '--json']).stdout)).toEqual([...fixtureIds, 'second-segment', 'active'])
    expect(jwz(['topic', 'list', '-q'])).toEqual(ok(`${topic}\n`))
  })

  it('holds of writing: a post ends the line that another left torn', () => {
    const { jwz, post, file } = busWithFixture()
    appendFileSync(file(topic), '{"v":1,"id":"cut off he')
    const id = post(topic, 'after a torn line')
    const lines = readFileSync(file(topic), 'utf8').split('\n')
    expect(lines.slice(-3)).toEqual(['{"v":1,"id":"cut off he', expect.stringContaining(id), ''])
    expect(jwz(['latest', topic])).toEqual(ok('after a torn line\n'))
  })

  it('holds of appending by hand with printf', () => {
    const { jwz, file, post } = freshBus()
    post('news', 'x')
    appendFileSync(file('news'), '{"v":1,"id":"by-hand","at":1,"topic":"news","from":"sh","body":"hi"}\n')
    expect(jwz(['latest', 'news'])).toEqual(ok('hi\n'))
  })

  it('has an example that reads as it stands, and names every field of the schema', () => {
    const [, example = ''] = /```jsonl\n([^`]+)```/.exec(page) ?? []
    const { jwz } = busWith((file) => writeFileSync(file, example))
    const records = example
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(records).toHaveLength(2)
    expect(JSON.parse(jwz(['read', topic, '--json']).stdout)).toEqual(records)
    for (const field of Object.keys(messageSchema.shape)) expect(page).toContain(`\`${field}\``)
  })

  it('says where topics lie', () => {
    const { post, records } = freshBus()
    post(topic, 'x')
    post('News', 'y')
    expect([records(topic).length, records('%4Eews').length]).toEqual([1, 1])
  })
})
