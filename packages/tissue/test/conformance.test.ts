import { disagreements } from '@switchyard/cli-kit/conformance'
import { full } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { verbs } from '../src/verbs.ts'

it('the table of verbs means the same to the strict parser and to citty', async () => {
  const table = await Promise.all(Object.entries(verbs).map(async ([name, load]) => [name, await load()] as const))
  expect(await disagreements(Object.fromEntries(table), { stride: full ? 1 : 7 })).toEqual([])
})
