import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseTextQuery } from '@switchyard/cli-kit/text-query'
import { scaled } from '@switchyard/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { filterBy } from '../src/message/filter.ts'
import { glanceFor } from '../src/message/glance.ts'
import { searchTopics } from '../src/message/search.ts'
import { openStore } from '../src/store/store.ts'
import { freshBus, ok } from './bus.ts'

const now = 1_800_000_000_000
const ids = ['01KAH5T5A9Q3VX0W8ZK4M2N7PB', '01KAH5T8M1D6YF2R9S0C3E5GJK', '01KAH5TB2C3D4E5F6G7H8J9KMN', 'own-id']
const pieces = ['needle', 'NEEDLE', 'neEdle', '\u212aey', 'key', '\u0130d', 'id', 'blob', '"', '\\', '/', 'u006b', 'é']
const text = fc.array(fc.constantFrom(...pieces, ' ', '\n', '\t', '\u0007'), { maxLength: 4 }).map((of) => of.join(''))
const name = fc.constantFrom('ann', 'bob', 'a/b', 'a"b', 'é', 'needle', '\u0007')
const optional = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })
const oneOf = <T>(...values: T[]) => fc.constantFrom(...values)

const message = fc.record({
  v: oneOf<unknown>(1, 1, 1, 1, 2),
  id: oneOf<unknown>(...ids, 7),
  at: oneOf<unknown>(now - 1, now - 1, now - 1, now - 7_200_000, 1.5, -3, 'x'),
  topic: oneOf<unknown>('t', ''),
  from: name,
  body: text,
  role: optional(name),
  model: optional(name),
  to: optional(fc.array(name, { maxLength: 2 })),
  tags: optional(oneOf<unknown>(['needle', 'ann'], ['bob'], [1], 'ann')),
  git: optional(oneOf<unknown>({ oid: null, branch: 'ann', prefix: '' }, { oid: null, branch: 1, prefix: '' })),
  urgent: optional(oneOf<unknown>(true, 'yes')),
  blob: optional(oneOf<unknown>({ sha256: 'a'.repeat(64), bytes: 3 }, null)),
  expect: optional(oneOf<unknown>(null, ...ids)),
  expires: optional(oneOf(now - 1, now + 1)),
  data: optional(oneOf<unknown>('needle', { id: ids[0] })),
})

const codeOf = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
/** Ways to write a record, or to damage it. */
const writings: readonly ((json: string) => string)[] = [
  ...Array.from({ length: 10 }, () => (json: string) => json),
  (json) => json.replaceAll(',"', ', "').replaceAll('":', '" : '),
  (json) => json.replace(/[ei]d/, (letters) => codeOf(letters.charAt(0)) + letters.charAt(1)),
  (json) => json.replaceAll('/', '\\/'),
  (json) => json.replace(/\}$/, `,"id":"${ids[0]}"}`),
  (json) => json.replace(/\}$/, ',"body":"needle key"}'),
  (json) => json.replace(/"v":1,(.*)\}$/, '$1,"v":1}'),
  (json) => json.slice(0, Math.floor(json.length * 0.7)),
  (json) => `${json.slice(0, 50)}${json}`,
  (json) => `${json} `,
  (json) => json.replace('}', '}}'),
]
const padding = oneOf('', '', '', `${'x'.repeat(9_000)}\n`)
const line = fc.tuple(message, fc.constantFrom(...writings), padding).map(([fields, write, before]) => {
  return `${before}${write(JSON.stringify(fields))}\n`
})
const query = fc.array(oneOf(...pieces, 'ann', 't', 'NOT', 'OR', '(', ')', '"key id"', 'need*'), { maxLength: 4 })
const flags = fc.record({
  from: fc.array(name, { maxLength: 2 }),
  to: optional(name),
  role: optional(name),
  model: optional(name),
  tag: fc.array(name, { maxLength: 1 }),
  match: optional(text),
  branch: optional(name),
  urgent: fc.boolean(),
  all: fc.boolean(),
  since: optional(oneOf('1h')),
})

describe('a search that does not parse what cannot fit', () => {
  it('finds what one finds that parses every line, whatever the lines and the query', () => {
    const bus = freshBus()
    const store = openStore({ cwd: bus.cwd, env: {}, flags: { store: undefined } })
    const path = bus.file('t')
    mkdirSync(dirname(path), { recursive: true })
    let hits = 0
    let spared = 0
    const check = (lines: string[], words: string[], given: Parameters<typeof glanceFor>[1] & { urgent: boolean }) => {
      writeFileSync(path, lines.join(''))
      const parsed = parseTextQuery(words.join(' '))
      const known = glanceFor(parsed, given)
      const look = (glance: typeof known) => {
        let skipped = 0
        const onSkipped = () => {
          skipped += 1
        }
        const filter = filterBy(store, given, now)
        const sparing = <T>(_: string, read: () => Iterable<T>) => read()
        const wanted = { store, topics: ['t'], sparing, query: parsed, filter, limit: 20 }
        const found = searchTopics({ ...wanted, glance, onSkipped })
        return { found, skipped }
      }
      const expected = look(undefined)
      const counting = (text: string) => {
        const glimpse = known?.(text)
        if (glimpse) spared += 1
        return glimpse
      }
      expect(look(counting)).toEqual(expected)
      hits += expected.found.length
    }
    const none = { from: [], to: undefined, role: undefined, model: undefined, tag: [], match: undefined }
    const unfiltered = fc.constant({ ...none, branch: undefined, urgent: false })
    const cases = fc.tuple(fc.array(line, { maxLength: 8 }), query, fc.oneof(unfiltered, flags))
    fc.assert(
      fc.property(cases, ([lines, words, given]) => check(lines, words, given)),
      { numRuns: scaled(10_000) },
    )
    expect(hits).toBeGreaterThan(0)
    expect(spared).toBeGreaterThan(0)
  })

  it.each([
    ['needle', 'n\\u0065edle'],
    ['key', '\u212aEY'],
    ['xi', 'X\u0130'],
    ['two words', 'two\\nwords'],
    ['NEEDLE', 'a needle'],
  ])('finds %j in a body written %j', (words, body) => {
    const bus = freshBus()
    mkdirSync(dirname(bus.file('t')), { recursive: true })
    writeFileSync(bus.file('t'), `{"v":1,"id":"${ids[0]}","at":1,"topic":"t","from":"x","body":"${body}"}\n`)
    expect(bus.jwz(['search', words, '-q'])).toEqual(ok(`${ids[0]}\n`))
  })

  it('knows every character whose lower case has a letter of ASCII in it', () => {
    const letters = Array.from({ length: 0x11_0000 }, (_, code) => code)
      .filter((code) => code > 127 && (code < 0xd800 || code > 0xdfff))
      .map((code) => String.fromCodePoint(code))
      .filter((letter) => /[a-z0-9]/.test(letter.toLowerCase()))
    expect(letters).toEqual(['\u0130', '\u212a'])
  })
})
