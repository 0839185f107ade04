import { fileURLToPath } from 'node:url'
import { runConsoleBlocks, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'

describe('the README', () => {
  it('prints what its pipelines print', () => {
    const page = fileURLToPath(new URL('../README.md', import.meta.url))
    expect(runConsoleBlocks(page, { cwd: tempRepo() })).toEqual([])
  })
})
