import { verbFaults } from '@switchyard/cli-kit/verb-faults'
import { expect, test } from 'vitest'
import { verbs } from '../src/verbs.ts'

test('no declaration of a verb contradicts itself', async () => {
  const loaded = await Promise.all(Object.entries(verbs).map(async ([name, load]) => [name, await load()] as const))
  expect(verbFaults(Object.fromEntries(loaded))).toEqual([])
})
