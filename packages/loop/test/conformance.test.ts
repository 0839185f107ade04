import { disagreements } from '@switchyard/cli-kit/conformance'
import { full } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { verbs } from '../src/verbs.ts'

it('the table of verbs means the same to the strict parser and to citty', async () => {
  const loaded = await Promise.all(Object.entries(verbs).map(async ([name, load]) => [name, await load()] as const))
  expect(await disagreements(Object.fromEntries(loaded), { stride: full ? 1 : 9 })).toEqual([])
})
