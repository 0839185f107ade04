import { verbFaults } from '@switchyard/cli-kit/verb-faults'
import { guideFaults } from '@switchyard/cli-kit/verb-guide'
import { run, tempFolder } from '@switchyard/testkit'
import { expect, test } from 'vitest'
import { guide } from '../src/verb-guide.ts'
import { verbs } from '../src/verbs.ts'

test('no declaration of a verb contradicts itself', async () => {
  const loaded = await Promise.all(Object.entries(verbs).map(async ([name, load]) => [name, await load()] as const))
  expect(verbFaults(Object.fromEntries(loaded))).toEqual([])
})

test('each verb has its place in the help, and a word of the original names the verb that is meant', () => {
  expect(guideFaults(guide, Object.keys(verbs))).toEqual([])
  for (const [word, verb] of [
    ['map-repo', 'symbols'],
    ['export-results', 'export'],
    ['head', 'peek --head'],
    ['preview_dir', 'tree'],
  ]) {
    const { code, stderr } = run('deepscan', [word ?? ''], { cwd: tempFolder() })
    expect([code, stderr]).toEqual([2, expect.stringContaining(`deepscan ${verb}`)])
  }
})
