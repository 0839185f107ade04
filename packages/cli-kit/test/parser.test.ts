import { isFailure } from '@switchyard/ground/failure'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseStrict } from '../src/parse.ts'
import type { VerbSpec } from '../src/verb.ts'
import { verbFaults } from '../src/verb-faults.ts'
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

describe('the parser', () => {
  it('makes values of a command line, or a usage failure with one line, whatever the words', () => {
    const names = Object.keys(flags)
    const word = fc.oneof(
      fc.constantFrom(...names.map((name) => `--${name}`), '-m', '-t', '-l', '-q', '--json', '--', '-', '--help'),
      fc.tuple(fc.constantFrom(...names, 'nome'), fc.string()).map(([name, value]) => `--${name}=${value}`),
      fc.constantFrom('-=x', '--=x', '---', '--__proto__', '--toString=x', '-mx', '-lqm', '-m=x', '-0', '1e3', '5M'),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('5', '90s', 'open', 'echo'),
    )
    let understood = 0
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), fc.constantFrom(echo, many), (argv, spec) => {
        try {
          const { flags: values, help } = parseStrict(argv, spec)
          understood += 1
          if (!help) expect(Object.keys(values)).toEqual(Object.keys(spec.flags ?? {}))
        } catch (error) {
          if (!isFailure(error)) throw error
          expect(error.kind).toBe('usage')
          expect(error.message).not.toContain('\n')
        }
      }),
      { numRuns: 2000 },
    )
    expect(understood).toBeGreaterThan(100)
  })

  it.each<[argv: string[], message: string]>([
    [['t', '--quite'], 'expected a flag that exists, got "--quite"'],
    [['t', '--loud=x'], 'expected no value for --loud, got "x"'],
    [['t', '-m'], 'expected a value after -m, got nothing'],
    [['t', '-m=x'], 'expected -m VALUE or --message=VALUE, got "-m=x"'],
    [['t', 'u'], 'expected nothing after <topic>, got "u"'],
    [[], 'expected <topic>, got nothing'],
    [['t', '--json', '--quiet'], 'expected one output mode, got --json and --quiet'],
    [['t', '--limit', '0x10'], 'expected --limit to be a whole number from 1 to 100, got "0x10"'],
    [['t', '--wait', '1.5h'], 'expected --wait to be a duration such as 500ms, 30s, 5m, 2h or 1d, got "1.5h"'],
    [['t', '--state', 'shut'], 'expected --state to be open or closed, got "shut"'],
    [['t', '-m', 'a', '--message', 'b'], 'expected --message once, got it twice'],
    [['t', '--no-loud'], 'expected a flag that exists, got "--no-loud"'],
  ])('says what is wrong with %j', (argv, message) => {
    expect(() => parseStrict(argv, echo)).toThrow(message)
  })

  it('takes the word after a flag for its value, whatever it looks like, and bundled letters', () => {
    expect(parseStrict(['-lqm', '--json', 't', '--verify', 'echo', '--no-verify'], echo)).toMatchObject({
      args: { topic: 't' },
      flags: { loud: true, message: '--json', verify: 'echo', 'no-verify': true },
      mode: 'quiet',
    })
    expect(parseStrict(['a', '--', '-n', '--dry'], many).args).toEqual({ first: 'a', rest: ['-n', '--dry'] })
  })

  it('gives back any value that is joined to its flag, and any argument behind --', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.array(fc.string()), (value, tags) => {
        const argv = [`--message=${value}`, ...tags.flatMap((tag) => ['-t', tag]), '--', value]
        const { args, flags } = parseStrict(argv, echo)
        expect([args.topic, flags.message, flags.tag]).toEqual([value, value, tags])
      }),
    )
  })
})

describe('a declaration', () => {
  const faultsOf = (spec: Partial<VerbSpec>) => verbFaults({ verb: { summary: '', examples: ['x'], ...spec } })

  it('may not take a name or letter that is taken', () => {
    const string = { type: 'string', summary: '', value: 'x' } as const
    expect(faultsOf({ flags: { json: string } })).toContain("verb: --json is every verb's own flag")
    expect(faultsOf({ flags: { host: { ...string, short: 'h' } } })).toContain('verb: -h stands for two flags')
    expect(faultsOf({ flags: { replyTo: string } })).toContain('verb: --replyTo is not in kebab-case')
  })

  it('may not make an argument ambiguous', () => {
    const first = { name: 'ids', summary: '', rest: true } as const
    expect(faultsOf({ args: [first, { name: 'last', summary: '' }] })).toContain(
      'verb: <ids> takes the rest, but <last> follows',
    )
  })

  it('may not have a default that is no value', () => {
    const [fault] = faultsOf({ flags: { wait: { type: 'duration', summary: '', default: 'soon' } } })
    expect(fault).toContain('its own arguments do not parse: usage: expected --wait to be a duration')
  })

  it('must have an example', () => {
    expect(faultsOf({ examples: [] })).toEqual(['verb: it has no example'])
  })
})

describe('a flag that is another one where no value stands behind it', () => {
  const spec: VerbSpec = {
    summary: 'Ask',
    args: [{ name: 'path', summary: 'Where', optional: true, rest: true }],
    flags: {
      query: { type: 'string', value: 'TEXT', short: 'q', bare: 'quiet', summary: 'What' },
      force: { type: 'boolean', summary: 'Anyway' },
    },
    examples: ['ask'],
  }
  const read = (...argv: string[]) => {
    const { args, flags, mode } = parseStrict(argv, spec)
    return [args['path'], flags['query'], mode]
  }

  it('takes a word or a lone dash, and neither a flag nor the end', () => {
    expect(read('src', '-q', 'why?')).toEqual([['src'], 'why?', 'text'])
    expect(read('-q', '-', 'src')).toEqual([['src'], '-', 'text'])
    expect(read('src', '-q')).toEqual([['src'], undefined, 'quiet'])
    expect(read('-q', '--force', 'src')).toEqual([['src'], undefined, 'quiet'])
    expect(read('-q', '--', 'src')).toEqual([['src'], undefined, 'quiet'])
    expect(read('--query=-x', 'src')).toEqual([['src'], '-x', 'text'])
    expect(read('--query', '-x', 'src')).toEqual([['src'], '-x', 'text'])
    expect(read('--query', '--force', 'src')).toEqual([['src'], '--force', 'text'])
    expect(read('src', '-q', '')).toEqual([['src'], '', 'text'])
  })
})
