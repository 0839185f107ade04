import { fileURLToPath } from 'node:url'
import { runConsoleBlocks, tempFolder } from '@switchyard/testkit'
import { expect, it } from 'vitest'

it('the guide shows what the tools print', () => {
  const page = fileURLToPath(new URL('../../../docs/loop.md', import.meta.url))
  expect(runConsoleBlocks(page, { cwd: tempFolder('guide'), asPerson: true })).toEqual([])
})
