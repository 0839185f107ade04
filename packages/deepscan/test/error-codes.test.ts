import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv, runAlone } from '@switchyard/testkit'
import { expect, test } from 'vitest'
import { type ErrorCode, errorTable } from '../src/errors/codes.ts'
import { errorCodeOf, fail } from '../src/errors/fail.ts'
import { plant, scansPlace } from './scans-place.ts'

const sample = {
  ...{ v: 1, type: 'finding', id: 'c08087f1e7c6652f82df', rule: 'js/x', title: 'X', message: 'X', fixable: false },
  ...{ severity: 'high', confidence: 'high', category: 'correctness', language: 'javascript', quote: 'f()' },
  ...{ line: 1, column: 1, end_line: 1, end_column: 4 },
}

test('there are the 31 codes of the original, and the places of a message are filled', () => {
  expect(Object.keys(errorTable).length).toBe(31)
  const failure = fail('DS-301', { path: 'a b' })
  expect([failure.message, failure.exitCode, errorCodeOf(failure)]).toEqual(['no file or folder at a b', 3, 'DS-301'])
  expect(fail('DS-004').message).toContain('<min>')
})

test('W26: a failure of a scan ends with its code in brackets, on stderr, and with its exit code', () => {
  const { root, home, deepscan, init } = scansPlace({ 'a.txt': 'many words\n' })
  mkdirSync(join(root, 'empty'))
  writeFileSync(join(root, 'bad'), Buffer.from([0x61, 0xff]))
  symlinkSync('loop', join(root, 'loop'))
  const id = init()
  const file = (name: string) => join(home, 'scans', id, name)
  const cases: [ErrorCode, number, readonly string[]][] = [
    ['DS-001', 2, ['init', '', '--force']],
    ['DS-002', 2, ['status', '--session', '../../etc']],
    ['DS-003', 2, ['map', '--with', 'true']],
    ['DS-402', 2, ['map', '--dry-run']],
    ['DS-403', 2, ['map', '--with', 'true', '--model', '*']],
    ['DS-006', 3, ['init', 'empty', '--force']],
    ['DS-103', 2, ['init', '--files-from', 'bad', '--force']],
    ['DS-301', 3, ['init', 'nowhere', '--force']],
    ['DS-303', 9, ['init', 'a.txt', '--max-file-bytes', '3', '--force']],
    ['DS-302', 2, ['init', 'loop', '--force']],
    ['DS-304', 9, ['init', '--max-tokens', '1', '--force']],
    ['DS-306', 3, ['status', '--session', 'nothing']],
  ]
  for (const [code, exit, args] of cases) {
    const { code: came, stdout, stderr } = deepscan([...args, '--json'])
    const [line = '', object = ''] = stderr.split('\n')
    expect([
      code,
      came,
      stdout,
      line.startsWith('deepscan: '),
      line.endsWith(` [${code}]`),
      JSON.parse(object).error.ds,
    ]).toEqual([...[code, exit, '', true, true, code]])
  }
  expect(deepscan(['status'], { env: { DEEPSCAN_HOME: 'relative' } }).stderr).toMatch(/\[DS-305\]\n$/)
  writeFileSync(file('results.jsonl'), '{"v":1}\n')
  expect(deepscan(['status'])).toMatchObject({ code: 7, stderr: expect.stringMatching(/\[DS-105\]\n$/) })
  writeFileSync(file('results.jsonl'), '')
  writeFileSync(file('manifest.jsonl'), '{"v":1}\n')
  expect(deepscan(['coverage'])).toMatchObject({ code: 7, stderr: expect.stringMatching(/\[DS-502\]\n$/) })
})

test('a grammar that is away is DS-101 with --strict, a settings file that is not one DS-401, a bug DS-501', () => {
  const { root, home, deepscan, init, linesOf } = scansPlace({ 'a.js': 'f()\n'.repeat(300) })
  const id = init()
  const strict = deepscan(['chunk', '--strict', '--tokens', '100'], {
    env: { NAPI_RS_NATIVE_LIBRARY_PATH: '/no/such/part.node' },
  })
  expect(strict).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^deepscan: a\.js .*\[DS-101\]\n$/),
  })
  expect(linesOf(id, 'chunks.jsonl')).toEqual([])
  const finding = deepscan(['run', '--jsonl']).stdout
  plant(root, { '.deepscan/settings.json': '{"weights":{"tittle":1}}' })
  const line = JSON.stringify({ ...sample, path: 'a.js' })
  const reduced = deepscan(['reduce', '-'], { input: `${finding}${line}\n` })
  expect(reduced).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/settings\.json: weights: .*tittle.*\[DS-401\]\n$/),
  })
  plant(root, { '.deepscan/settings.json': '{"weights":{"confidence":{"high":0.5}}}' })
  const weighed = JSON.parse(deepscan(['reduce', '-', '--json'], { input: `${line}\n` }).stdout)
  expect(JSON.stringify(weighed.findings[0].score)).toContain('0.5')
  const env = { DEEPSCAN_HOME: home, ...faultEnv({ call: 'statSync', nth: 1, action: 'EIO', match: root }) }
  const bug = runAlone('deepscan', ['init', '--json', '--force'], { cwd: root, env })
  expect([bug.code, bug.stderr]).toEqual([70, expect.stringMatching(/bug: [\s\S]* \[DS-501\]\n.*"ds":"DS-501"\}\}\n$/)])
})
