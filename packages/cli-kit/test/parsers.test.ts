import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCitty } from '../src/citty.ts'
import { disagreements, outcome } from '../src/conformance.ts'
import { commandLines } from '../src/corpus.ts'
import { parseStrict } from '../src/parse.ts'
import type { VerbSpec } from '../src/verb.ts'
import { args, flags } from './fixtures/desk/src/spec.ts'

const echo: VerbSpec = { summary: 'Everything', args, flags, examples: ['desk echo work'] }
const many: VerbSpec = {
  summary: 'The rest',
  args: [
    { name: 'first', summary: 'One' },
    { name: 'rest', summary: 'More', rest: true, optional: true },
  ],
  flags: {
    'dry-run': { type: 'boolean', summary: 'Dry', short: 'n' },
    dry: { type: 'string', summary: 'Wet', value: 'x' },
  },
  examples: ['desk many a b'],
}

describe('the two parsers', () => {
  it('agree on the corpus made from a table of verbs', async () => {
    expect(await disagreements({ echo, many, 'note list': { summary: 'None', examples: ['x'] } })).toEqual([])
  })

  it('are given a corpus that holds values as well as failures of every kind', () => {
    const outcomes = [...commandLines(echo, ['echo', 'many'])].map((argv) => outcome(parseStrict, argv, echo))
    const failures = new Set(
      outcomes.map((text) => /^usage: (expected (?:a flag|no value|a value|nothing|<|one|--\w+))/.exec(text)?.[1]),
    )
    expect(outcomes.filter((text) => text.startsWith('{')).length).toBeGreaterThan(500)
    for (const failure of [
      'a flag',
      'no value',
      'a value',
      'nothing',
      '<',
      'one',
      '--limit',
      '--wait',
      '--state',
      '--message',
    ]) {
      expect([...failures]).toContain(`expected ${failure}`)
    }
  })

  it('agree on any words', () => {
    const names = Object.keys(flags)
    const word = fc.oneof(
      fc.constantFrom(...names.map((name) => `--${name}`), '-m', '-t', '-l', '-q', '--json', '--', '-', '--help'),
      fc
        .tuple(fc.constantFrom(...names, 'nome'), fc.string())
        .map(([name, value]) => `--${name}=${value.replaceAll('\0', '')}`),
      fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '')),
      fc.constantFrom('5', '90s', 'open', 'echo'),
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), fc.constantFrom(echo, many), (argv, spec) => {
        expect(outcome(parseCitty, argv, spec)).toBe(outcome(parseStrict, argv, spec))
      }),
      { numRuns: 2000 },
    )
  })

  it('give back any value that is joined to its flag, and any argument behind --', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.array(fc.string()), (text, texts) => {
        const [value = '', ...tags] = [text, ...texts].map((raw) => raw.replaceAll('\0', ''))
        const argv = [`--message=${value}`, ...tags.flatMap((tag) => ['-t', tag]), '--', value]
        for (const parse of [parseStrict, parseCitty]) {
          const { args, flags } = parse(argv, echo)
          expect([args.topic, flags.message, flags.tag]).toEqual([value, value, tags])
        }
      }),
    )
  })
})

describe('a declaration', () => {
  const faultsOf = (spec: Partial<VerbSpec>) => disagreements({ verb: { summary: '', examples: ['x'], ...spec } })

  it('may not take a name or letter that is taken', async () => {
    const string = { type: 'string', summary: '', value: 'x' } as const
    expect(await faultsOf({ flags: { json: string } })).toContain("verb: --json is every verb's own flag")
    expect(await faultsOf({ flags: { host: { ...string, short: 'h' } } })).toContain('verb: -h stands for two flags')
    expect(await faultsOf({ flags: { replyTo: string } })).toContain('verb: --replyTo is not in kebab-case')
  })

  it('may not make an argument ambiguous', async () => {
    const first = { name: 'ids', summary: '', rest: true } as const
    expect(await faultsOf({ args: [first, { name: 'last', summary: '' }] })).toContain(
      'verb: <ids> takes the rest, but <last> follows',
    )
  })

  it('may not have a default that is no value', async () => {
    const [fault] = await faultsOf({ flags: { wait: { type: 'duration', summary: '', default: 'soon' } } })
    expect(fault).toContain('its own arguments do not parse: usage: expected --wait to be a duration')
  })

  it('must have an example', async () => {
    expect(await faultsOf({ examples: [] })).toEqual(['verb: it has no example'])
  })
})
