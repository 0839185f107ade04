import { fileURLToPath } from 'node:url'
import { runConsoleBlocks, tempFolder } from '@switchyard/testkit'
import { expect, it } from 'vitest'

it.each(['scope.md', 'scope-reference.md'])('%s shows what the tools print', (name) => {
  const page = fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url))
  expect(runConsoleBlocks(page, { cwd: tempFolder('guide') })).toEqual([])
})
