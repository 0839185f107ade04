import { verbFaults } from '@switchyard/cli-kit/verb-faults'
import { guideFaults } from '@switchyard/cli-kit/verb-guide'
import { run, tempFolder, tempRepo } from '@switchyard/testkit'
import { expect, test } from 'vitest'
import { renderScout } from '../src/explore/render-scout.ts'
import { scoutSchema } from '../src/explore/scout-schema.ts'
import { guide } from '../src/verb-guide.ts'
import { verbs } from '../src/verbs.ts'

test('no declaration of a verb contradicts itself', async () => {
  const loaded = await Promise.all(Object.entries(verbs).map(async ([name, load]) => [name, await load()] as const))
  expect(verbFaults(Object.fromEntries(loaded))).toEqual([])
})

test('each verb has its place in the help, and a word of the original names the verb that is meant', () => {
  expect(guideFaults(guide, Object.keys(verbs))).toEqual([])
  const { stdout } = run('deepscan', ['help'], { cwd: tempFolder() })
  expect(stdout.split('\n').filter((line) => line.startsWith('  ') && line.length > 80)).toEqual([])
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

test('a hint can be typed as it stands', () => {
  const cwd = tempRepo({ 'a.js': 'start()\n' })
  const env = { DEEPSCAN_HOME: tempFolder() }
  const deepscan = (...args: string[]) => run('deepscan', args, { cwd, env })
  expect(deepscan('exec', '1 + 1')).toMatchObject({ code: 2, stderr: expect.stringContaining('put code behind -c') })
  expect(deepscan('exec', '-c', '1 + 1').stdout).toBe('2\n')
  expect(deepscan('init').stdout).toMatch(/an agent that reads all takes about 2k\n/)
  expect(deepscan('map', '--with', 'true').stderr).toContain('say it with --query "…"')
  expect(deepscan('map', '--with', 'true', '--query', 'Why?', '--dry-run').code).toBe(0)
  const found = scoutSchema.parse(JSON.parse(deepscan('scout', '--json').stdout))
  expect(renderScout({ ...found, strategy: 'narrow' })).toContain('init, then deepscan map --with claude --hints')
})
