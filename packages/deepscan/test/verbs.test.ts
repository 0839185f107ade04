import { disagreements } from '@switchyard/cli-kit/conformance'
import { expect, test } from 'vitest'
import { fix } from '../src/commands/fix.ts'
import { run } from '../src/commands/run.ts'

test('the table of verbs means the same to both parsers', async () => {
  expect(await disagreements({ run, fix })).toEqual([])
})
