import { expect, expectTypeOf, it } from 'vitest'
import { defineVerb } from '../src/verb.ts'

it('gives a verb its arguments and flags with the types that were declared', () => {
  const verb = defineVerb({
    summary: 'Types only',
    args: [
      { name: 'topic', summary: 'One' },
      { name: 'note', summary: 'Perhaps one', optional: true },
      { name: 'ids', summary: 'All others', optional: true, rest: true },
    ],
    flags: {
      message: { type: 'string', summary: '', value: 'text' },
      store: { type: 'string', summary: '', value: 'path', default: '.' },
      limit: { type: 'integer', summary: '', value: 'n', min: 1, max: 9, default: 3 },
      wait: { type: 'duration', summary: '' },
      state: { type: 'choice', summary: '', choices: ['open', 'closed'] },
      tag: { type: 'list', summary: '', value: 'tag' },
      loud: { type: 'boolean', summary: '' },
    },
    examples: ['none'],
    run({ args, flags }) {
      expectTypeOf(args.topic).toEqualTypeOf<string>()
      expectTypeOf(args.note).toEqualTypeOf<string | undefined>()
      expectTypeOf(args.ids).toEqualTypeOf<readonly string[]>()
      expectTypeOf(flags.message).toEqualTypeOf<string | undefined>()
      expectTypeOf(flags.store).toEqualTypeOf<string>()
      expectTypeOf(flags.limit).toEqualTypeOf<number>()
      expectTypeOf(flags.wait).toEqualTypeOf<number | undefined>()
      expectTypeOf(flags.state).toEqualTypeOf<'open' | 'closed' | undefined>()
      expectTypeOf(flags.tag).toEqualTypeOf<readonly string[]>()
      expectTypeOf(flags.loud).toEqualTypeOf<boolean>()
      expectTypeOf(flags).not.toHaveProperty('quite')
    },
  })
  expect(verb.summary).toBe('Types only')
})
