import { disagreements } from '@switchyard/cli-kit/conformance'
import { expect, it } from 'vitest'
import { run } from '../src/commands/run.ts'
import { status } from '../src/commands/status.ts'

it('the table of verbs means the same to the strict parser and to citty', async () => {
  expect(await disagreements({ run, status })).toEqual([])
})
