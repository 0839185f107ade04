import { verbFaults } from '@switchyard/cli-kit/verb-faults'
import { expect, it } from 'vitest'
import { verbs } from '../src/verbs.ts'

it('no declaration of a verb contradicts itself', async () => {
  const loaded = await Promise.all(Object.entries(verbs).map(async ([name, load]) => [name, await load()] as const))
  expect(verbFaults(Object.fromEntries(loaded))).toEqual([])
})
