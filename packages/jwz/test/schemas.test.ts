import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from '@switchyard/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { freshBus } from './bus.ts'

/** A store in which every verb has something to show, and the ids that the command lines below need. */
function peopledBus() {
  const bus = freshBus()
  const first = bus.post('news', 'question?', '--to', 'bob', '--to', 'ann', '--urgent')
  bus.jwz(['reply', first, '-m', 'answer for @ann', '--as', 'bob', '--role', 'reviewer'])
  writeFileSync(join(bus.cwd, 'file.txt'), 'text')
  const attached = bus.post('news', 'with a file', '--attach', 'file.txt')
  bus.jwz(['lease', 'acquire', 'deploy', '--as', 'bob'])
  bus.jwz(['lease', 'acquire', 'mine'])
  bus.jwz(['read', 'news', '--consumer', 'ci', '--limit', '1', '--commit'])
  bus.jwz(['export', '--out', 'bus.jsonl'])
  const original = { type: 'topic', id: 'T', name: 'old', description: '', created_at: 1 }
  writeFileSync(join(bus.cwd, 'original'), `${JSON.stringify(original)}\n`)
  return { ...bus, first, attached }
}

type Bus = ReturnType<typeof peopledBus>
/** A command line of a verb and the record, of those `jwz schema` knows, that each element of its --json output is. */
type Sample = [argv: (bus: Bus) => string[], record: string, codes?: readonly number[]]

/** By verb, and by the flag that makes it print something else. */
const samples: Record<string, Sample> = {
  init: [() => ['init'], 'made'],
  post: [() => ['post', 'news', '-m', 'x', '--attach', 'file.txt', '--key', 'k', '--ttl', '1h', '--urgent'], 'message'],
  reply: [({ first }) => ['reply', first, '-m', 'x'], 'message'],
  read: [() => ['read', 'news', '--all'], 'shown'],
  latest: [() => ['latest', 'news'], 'shown'],
  show: [({ first }) => ['show', first], 'shown'],
  'show --attachment': [({ attached }) => ['show', attached, '--attachment', 'file.txt', '-o', 'again.txt'], 'blob'],
  thread: [({ first }) => ['thread', first], 'threaded'],
  'topic new': [() => ['topic', 'new', 'fresh'], 'new-topic'],
  'topic list': [() => ['topic', 'list'], 'topic'],
  follow: [() => ['follow', '--limit', '1', '--count', '1'], 'shown'],
  wait: [({ first }) => ['wait', 'news', '--reply-to', first], 'shown'],
  search: [() => ['search', 'answer'], 'shown'],
  inbox: [() => ['inbox', '--as', 'bob'], 'inbox'],
  ack: [({ first }) => ['ack', first], 'acknowledged'],
  'read --status': [() => ['read', '--status'], 'cursor'],
  'read --reset': [() => ['read', '--consumer', 'ci', '--reset', 'none'], 'cursor'],
  'lease acquire': [() => ['lease', 'acquire', 'src/**'], 'lease'],
  'lease acquire --renew': [() => ['lease', 'acquire', '--renew', 'mine'], 'lease'],
  'lease acquire --steal': [() => ['lease', 'acquire', 'deploy', '--steal', '--reason', 'gone'], 'lease'],
  'lease release': [() => ['lease', 'release', 'mine'], 'lease-released'],
  'lease list': [() => ['lease', 'list'], 'lease'],
  'lease check': [() => ['lease', 'check', 'deploy'], 'lease', [1]],
  whoami: [() => ['whoami'], 'identity'],
  agents: [() => ['agents'], 'agent'],
  compact: [() => ['compact', '--older-than', '0ms'], 'compaction'],
  export: [() => ['export', '--out', 'again.jsonl'], 'written'],
  import: [() => ['import', 'bus.jsonl'], 'import'],
  migrate: [() => ['migrate', 'original'], 'migration'],
  doctor: [() => ['doctor'], 'finding'],
  'doctor --log': [() => ['doctor', '--log'], 'report'],
  where: [() => ['where'], 'store'],
  prime: [() => ['prime'], 'primer'],
}

/** Verbs whose output is not a record of their own: bridge answers with what other verbs print. */
const withoutRecord = ['bridge']

let peopled: Bus
beforeAll(() => {
  peopled = peopledBus()
})

describe('jwz schema', () => {
  it.each(Object.entries(samples))(
    'describes what %s prints with --json and --jsonl',
    (_, [argv, record, codes = [0]]) => {
      const schema = z.fromJSONSchema(JSON.parse(peopled.jwz(['schema', record]).stdout))
      for (const mode of ['--json', '--jsonl']) {
        const cwd = tempFolder('schemas')
        cpSync(peopled.cwd, cwd, { recursive: true })
        const { code, stdout, stderr } = peopled.jwz([...argv(peopled), mode], { cwd })
        expect(codes, stderr).toContain(code)
        const printed = stdout
          .trim()
          .split('\n')
          .flatMap((line) => JSON.parse(line))
        expect(printed.length).toBeGreaterThan(0)
        for (const value of printed) expect(schema.safeParse(value)).toMatchObject({ success: true })
      }
    },
  )

  it('is asked here of every verb', () => {
    const table = readFileSync(new URL('../src/cli.ts', import.meta.url), 'utf8')
    const verbs = [...table.matchAll(/^ {4}'?([a-z ]+)'?: async/gm)].map(([, name]) => name)
    const sampled = new Set(Object.keys(samples).map((name) => name.replace(/ --.*/, '')))
    expect(
      verbs.filter((verb) => !withoutRecord.includes(verb ?? '')).sort(),
      'each verb of src/cli.ts is a line of samples in this file',
    ).toEqual([...sampled].sort())
  })
})
