import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type ErrorCode, errorTable } from '../src/errors/codes.ts'
import { errorCodeOf, fail } from '../src/errors/fail.ts'
import { scansPlace } from './scans-place.ts'

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
