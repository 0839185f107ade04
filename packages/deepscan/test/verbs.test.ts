import { verbFaults } from '@switchyard/cli-kit/verb-faults'
import { expect, test } from 'vitest'
import { fix } from '../src/commands/fix.ts'
import { run } from '../src/commands/run.ts'

test('no declaration of a verb contradicts itself', () => {
  expect(verbFaults({ run, fix })).toEqual([])
})
