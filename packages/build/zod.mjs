// zod as all files of a tool share it: one file, with V8's code for it. Its messages in other languages are left out.
import * as z from 'zod'

export * from 'zod'
export { z }

/** Uses what a verb uses that reads a record: V8's code for it is kept. */
export function warmUp() {
  const record = z.strictObject({
    v: z.literal(1),
    id: z.string().min(1).max(20).regex(/^a/),
    at: z.iso.datetime(),
    count: z.number().int().min(0).optional(),
    state: z.enum(['open', 'closed']).default('open'),
    names: z.array(z.string()).nullable(),
    more: z.looseObject({ a: z.boolean() }),
    all: z.record(z.string(), z.unknown()),
  })
  const either = z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('a'), value: z.union([z.string(), z.number()]) }),
    record.extend({ kind: z.literal('b') }),
  ])
  const given = {
    v: 1,
    id: 'a',
    at: '2026-01-01T00:00:00Z',
    count: 1,
    names: ['x'],
    more: { a: true, b: 1 },
    all: { c: 2 },
  }
  for (const value of [{ ...given, kind: 'b' }, { kind: 'a', value: 1 }, { ...given, kind: 'b', id: 7, other: 1 }, 1])
    either.safeParse(value).error?.issues.map(({ message, path }) => [message, path])
  record
    .refine(({ names }) => names !== null)
    .transform(({ id }) => id)
    .catch('')
    .parse(given)
}
