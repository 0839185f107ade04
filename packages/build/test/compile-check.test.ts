import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { checkOf, checksOf } from '@switchyard/ground/check-of'
import { tempFolder } from '@switchyard/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { compileModule } from '../compile-check.mjs'

/** A schema, and a value that fits it. */
type Pair = { schema: z.ZodType; value: unknown }

const names = ['a', 'b', 'is-it', 'constructor']
const words = ['open', 'closed', '']
const texts = fc.constantFrom('', 'a', 'ab', 'A', 'open', '😀', '😀😀', '😀😀😀', 'x\ny', ...names)
const numbers = fc.constantFrom(0, -0, 1, 2, 5, 6, -1, 1.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY)
const anything = fc.oneof(
  texts,
  numbers,
  fc.constantFrom(null, undefined, true, [], {}, ['a'], { a: 1 }),
  fc.jsonValue(),
)

const of = (schema: z.ZodType, ...values: unknown[]): fc.Arbitrary<Pair> =>
  fc.constantFrom(...values).map((value) => ({ schema, value }))

const leaf = fc.oneof(
  of(z.string(), 'a'),
  of(z.string().min(1).max(2), 'ab', '😀😀'),
  of(z.string().regex(/^[a-z]+$/), 'ab'),
  of(z.number(), 1.5),
  of(z.number().positive(), 0.5),
  of(z.int().min(1).max(5), 1, 5),
  of(z.number().int().lt(5), -1),
  of(z.boolean(), true),
  of(z.null(), null),
  of(z.unknown(), undefined, 1, {}),
  of(z.literal(['a', 1, null]), 'a', 1, null),
  of(z.enum(words), 'open', ''),
)

const { pair } = fc.letrec<{ pair: Pair; fields: Record<string, Pair>; object: Pair; told: Pair }>((tie) => ({
  pair: fc.oneof(
    { maxDepth: 4 },
    leaf,
    tie('object'),
    tie('told'),
    tie('pair').map(({ schema, value }) => ({ schema: schema.optional(), value })),
    tie('pair').map(({ schema, value }) => ({ schema: schema.nullable().describe('words'), value })),
    tie('pair').map(({ schema, value }) => ({ schema: z.array(schema).min(1).max(3), value: [value, value] })),
    tie('pair').map(({ schema, value }) => ({ schema: z.record(z.string(), schema), value: { x: value } })),
    fc.tuple(tie('pair'), tie('pair')).map(([one, two]) => ({ ...one, schema: z.union([two.schema, one.schema]) })),
  ),
  fields: fc.dictionary(fc.constantFrom(...names), tie('pair'), { maxKeys: 4, noNullPrototype: true }),
  object: fc
    .tuple(tie('fields'), fc.constantFrom(z.object, z.looseObject, z.strictObject))
    .map(([fields, make]) => ({ schema: make(shapeOf(fields)), value: valuesOf(fields) })),
  told: fc.tuple(tie('fields'), tie('fields'), fc.boolean()).map(([one, two, hasNested]) => {
    const nested = z.discriminatedUnion('end', [z.object({ is: z.literal('n'), end: z.literal('x') })])
    const first = z.object({ ...shapeOf(one), is: z.literal('one') })
    const second = z.strictObject({ ...shapeOf(two), is: z.enum(['two', 'three']) })
    const schema = z.discriminatedUnion('is', hasNested ? [first, second, nested] : [first, second])
    return { schema, value: { ...valuesOf(two), is: 'three' } }
  }),
}))

const shapeOf = (fields: Record<string, Pair>) =>
  Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]))
const valuesOf = (fields: Record<string, Pair>) =>
  Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value]))

/** The value with what stands at one place of it replaced, or taken away. */
function changed(value: unknown, path: readonly number[], other: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined || typeof value !== 'object' || value === null) return other
  if (Array.isArray(value))
    return value.map((one, at) => (at === step % value.length ? changed(one, rest, other) : one))
  const entries = Object.entries(value)
  const at = step % (entries.length + 1)
  const [name = 'extra', inner] = entries[at] ?? []
  if (other === undefined && rest.length === 0) return Object.fromEntries(entries.filter(([key]) => key !== name))
  return { ...value, [name]: changed(inner, rest, other) }
}

const dataUrl = (source: string) => `data:text/javascript,${encodeURIComponent(source)}`

async function compiled(schema: z.ZodType): Promise<(value: unknown) => boolean> {
  const source = compileModule({ check: checkOf(schema) })
  const { check } = await import(dataUrl(source))
  return check
}

describe('a compiled check', () => {
  it('takes what zod takes, of values that fit and of values with one place changed', async () => {
    const taken = { yes: 0, no: 0 }
    const change = fc.option(fc.tuple(fc.array(fc.nat(9), { maxLength: 4 }), anything))
    await fc.assert(
      fc.asyncProperty(pair, fc.array(change, { minLength: 1, maxLength: 8 }), async ({ schema, value }, changes) => {
        const check = await compiled(schema)
        for (const some of changes) {
          const given = some === null ? value : changed(value, ...some)
          const { success } = schema.safeParse(given)
          taken[success ? 'yes' : 'no'] += 1
          expect(check(given), compileModule({ check: checkOf(schema) })).toBe(success)
        }
      }),
      { numRuns: 1500 },
    )
    expect(Math.min(taken.yes, taken.no)).toBeGreaterThan(500)
  })

  it('looks at a name that zod throws away, because what was read is kept as it is', async () => {
    const schema = z.record(z.string(), z.string())
    const value: unknown = JSON.parse('{"__proto__": 1}')
    expect([schema.safeParse(value).success, (await compiled(schema))(value)]).toEqual([true, false])
  })

  it('says what two schemas have in common once', () => {
    const link = z.object({ from: z.string().min(1), to: z.string().min(1) })
    const one = compileModule({ isLink: checkOf(link) })
    const two = compileModule({ isLink: checkOf(link), areLinks: checkOf(z.array(link.describe('again'))) })
    expect(two.split('\n').length - one.split('\n').length).toBe(2)
  })

  it('is there for each field of a shape, and tells its options apart by their own words only', async () => {
    const one = z.object({ is: z.literal('one'), v: z.int() })
    const two = z.object({ is: z.literal('two'), v: z.int() })
    const either = z.discriminatedUnion('is', [one, two])
    const more = z.discriminatedUnion('is', [
      one,
      two,
      z.object({ is: z.literal('all'), v: z.int(), of: z.array(either) }),
    ])
    const source = compileModule({
      fields: checksOf(one.shape),
      words: either.options.map(({ shape }) => shape.is.value),
      isMore: checkOf(more),
    })
    const { fields, words: told, isMore } = await import(dataUrl(source))
    expect([fields.v(1), fields.v('1'), fields.is('one'), Object.keys(fields), told]).toEqual([
      true,
      false,
      true,
      ['is', 'v'],
      ['one', 'two'],
    ])
    const given = ['one', 'all', 'toString', '__proto__', ['one'], undefined].map((is) => ({ is, v: 1, of: [] }))
    expect(given.map(isMore)).toEqual([true, true, false, false, false, false])
    expect(source.split('"one"').length - 1).toBe(2)
  })

  it('stands beside lists and numbers, which are written as they are', async () => {
    const source = compileModule({ states: z.enum(words).options, countMax: 2 ** 52 })
    expect(await import(dataUrl(source))).toMatchObject({
      states: words,
      countMax: 2 ** 52,
    })
  })
})

describe('a schema that is not known', () => {
  it.each<[z.ZodType, string]>([
    [z.object({ a: z.array(z.string().trim()) }), 'isIt.a[]: cannot compile string with the rule overwrite'],
    [z.string().refine((text) => text !== ''), 'isIt: cannot compile string with the rule custom'],
    [z.object({ a: z.string() }).catchall(z.number()), 'isIt: cannot compile object with a rule for other fields'],
    [z.record(z.string().min(1), z.string()), 'isIt: cannot compile record with a rule for names'],
    [z.record(z.string(), z.email()), 'isIt{}: cannot compile email'],
    [z.string().min(2), 'isIt: cannot compile string with the rule min_length'],
    [z.string().regex(/a/g), 'isIt: cannot compile string with the rule regex'],
    [z.int32(), 'isIt: cannot compile int32'],
    [z.coerce.number(), 'isIt: cannot compile coerce.number'],
    [z.literal(1n), 'isIt: cannot compile literal 1'],
    [z.string().default('a'), 'isIt: cannot compile default'],
    [z.string().transform(Number), 'isIt: cannot compile pipe'],
    [z.discriminatedUnion('k', [z.object({ k: z.literal(1) })]), 'isIt: cannot compile union told apart by 1'],
    [z.date(), 'isIt: cannot compile date'],
    [z.lazy(() => z.string()), 'isIt: cannot compile lazy'],
    [z.discriminatedUnion('k', [z.object({ k: z.literal('x'), d: z.date() })]), 'isIt("x").d: cannot compile date'],
  ])('is refused by its place %#', (schema, message) => {
    const source = () => compileModule({ isIt: checkOf(schema) })
    expect(source).toThrow(`${message}; teach it to packages/build/compile-check.mjs`)
  })

  it('fails the build of a tool with one line', () => {
    const folder = tempFolder('unknown-schema')
    mkdirSync(join(folder, 'src'))
    writeFileSync(join(folder, 'package.json'), '{"name":"desk","version":"1.0.0"}\n')
    writeFileSync(join(folder, 'src', 'cli.ts'), "import { isIt } from './it.check.ts'\nconsole.log(isIt)\n")
    const check = 'Object.assign(() => true, { schema: z.date() })'
    writeFileSync(join(folder, 'src', 'it.check.ts'), `import * as z from 'zod'\nexport const isIt = ${check}\n`)
    const bundle = fileURLToPath(new URL('../bundle.mjs', import.meta.url))
    const { status, stderr } = spawnSync(execPath, [bundle], { cwd: folder, encoding: 'utf8' })
    expect([status, stderr]).toEqual([
      1,
      'switchyard-build: desk: src/it.check.ts: isIt: cannot compile date; teach it to packages/build/compile-check.mjs, or use zod where nothing is hot\n',
    ])
  })
})
