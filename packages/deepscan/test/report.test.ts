import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { run, scaled, tempFolder, tempRepo } from '@switchyard/testkit'
import { Ajv } from 'ajv'
import ajvDraft4 from 'ajv-draft-04'
import ajvFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { schemas } from '../src/schemas.ts'
import { aFinding } from './findings.ts'

const require = createRequire(import.meta.url)

/** What code and agents may try to get out of a quote, in any format. */
const hostile =
  '</code><script>alert(1)</script> `` ``` ```` "q",=1+1 [x](javascript:y) {0} \u001b[31m\u202e | **b** <!-- & \ud83d\ude00'

function deepscan(cwd: string, args: readonly string[], input = '') {
  const { code, stdout, stderr } = run('deepscan', args, { cwd, input })
  return { code, stdout, stderr }
}

function lines(...findings: readonly object[]): string {
  return findings.map((finding) => `${JSON.stringify(finding)}\n`).join('')
}

const given = lines(
  aFinding({
    title: hostile,
    message: hostile,
    quote: hostile,
    path: 'a b/ü:#?%.ts',
    severity: 'high',
    confidence: 'high',
  }),
  aFinding({ title: '=HYPERLINK("x")', path: '-x.py', quote: '-1', message: 'Ask `a < b`.' }),
  aFinding({ title: 'Two places', path: 'a.ts', line: 3, end_line: 3 }),
  aFinding({ title: 'Two places', path: 'b.ts', line: 4, end_line: 4 }),
)

test('W22: findings keep their structure: reduce --json and export are reports of the schema', () => {
  const cwd = tempFolder()
  const reduced = deepscan(cwd, ['reduce', '-', '--json'], given)
  const report = JSON.parse(reduced.stdout)
  const validate = new Ajv({ strict: false }).compile({ ...schemas.report, $schema: undefined })
  expect([validate(report), validate.errors]).toEqual([true, null])
  expect([reduced.code, reduced.stderr]).toEqual([0, '4 findings: 3 distinct, at 4 places\n'])
  expect(deepscan(cwd, ['export', '--from', '-'], given).stdout).toBe(reduced.stdout)
  const jsonl = deepscan(cwd, ['reduce', '-', '--jsonl'], given).stdout
  const ruled = lines(aFinding({ analyser: 'rules', rule: 'js/dynamic-eval' }))
  const ruledJsonl = deepscan(cwd, ['reduce', '-', '--jsonl'], ruled).stdout
  expect(deepscan(cwd, ['export', '--from', '-', '--format', 'jsonl'], given + ruled).stdout).toBe(ruledJsonl)
  expect(
    jsonl
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  ).toEqual(report.findings)
  expect(deepscan(cwd, ['reduce', '-'], given).stdout.split('\n')[2]).toBe(
    'a.ts:3:1 medium agent/finding Two places (and 1 more place)',
  )
})

test('SARIF validates against its schema, with a result and a fingerprint for each place', () => {
  const { stdout } = deepscan(tempFolder(), ['export', '--from', '-', '--format', 'sarif'], given)
  const sarif = JSON.parse(stdout)
  const schema = JSON.parse(
    readFileSync(require.resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'), 'utf8'),
  )
  const ajv = new ajvDraft4.default({ strict: false, unicodeRegExp: false })
  ajvFormats.default(ajv as never)
  const validate = ajv.compile(schema)
  expect([validate(sarif), validate.errors]).toEqual([true, null])
  const results = sarif.runs[0].results
  expect(results.map((result: { partialFingerprints: object }) => result.partialFingerprints)).toHaveLength(4)
  const [{ artifactLocation, region }] = results[0].locations.map(
    (one: { physicalLocation: object }) => one.physicalLocation,
  )
  expect(artifactLocation).toEqual({ uri: 'a%20b/%C3%BC%3A%23%3F%25.ts', uriBaseId: 'SRCROOT' })
  expect(region).toEqual({ startLine: 1, startColumn: 1, endLine: 1, endColumn: 10, snippet: { text: hostile } })
  const none = JSON.parse(deepscan(tempFolder(), ['export', '--from', '-', '--format', 'sarif']).stdout)
  expect([validate(none), none.runs[0].results]).toEqual([true, []])
})

test('nothing that is quoted is markup, a formula or an escape sequence', () => {
  const cwd = tempFolder()
  const html = deepscan(cwd, ['export', '--from', '-', '--format', 'html'], given).stdout
  expect(html.match(/<script|<b>|<!--|\u001b/g)).toBe(null)
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(html).toContain('<p>Ask <code>a &lt; b</code>.</p>')
  const markdown = deepscan(cwd, ['export', '--from', '-', '--format', 'md'], given).stdout
  expect(markdown).toContain('\n`````\n</code><script>')
  const outside = markdown.replace(/\n`````\n[\s\S]*?\n`````\n/, '')
  expect(outside.match(/(?<!\\)<|(?<!\\)\*\*|\u001b|\u202e|(?<!\\)\]\(/g)).toBe(null)
  const csv = deepscan(cwd, ['export', '--from', '-', '--format', 'csv'], given).stdout
  const [, , , row = ''] = csv.split('\r\n')
  expect(csv.split('\r\n')[0]).toBe(
    'severity,confidence,score,rule,title,path,line,column,places,verification,category,analyser,message,quote,id',
  )
  expect(csv).toContain(`"'=HYPERLINK(""x"")",'-x.py`)
  expect(row).toContain('Two places')
})

test('export writes a file once, whole, and over another only with --force', () => {
  const cwd = tempFolder()
  expect(deepscan(cwd, ['export', '--from', '-', 'out/report.html'], given)).toEqual({
    ...{ code: 0, stdout: '', stderr: '3 findings as html in out/report.html\n' },
  })
  const html = readFileSync(join(cwd, 'out/report.html'), 'utf8')
  expect(html.startsWith('<!doctype html>')).toBe(true)
  expect(deepscan(cwd, ['export', '--from', '-', 'out/report.html', '--format', 'csv'], given)).toEqual({
    ...{ code: 5, stdout: '' },
    stderr: 'deepscan: out/report.html is there already; name another file, or add --force\n',
  })
  expect(readFileSync(join(cwd, 'out/report.html'), 'utf8')).toBe(html)
  const forced = deepscan(
    cwd,
    ['export', '--from', '-', 'out/report.html', '--format', 'csv', '--force', '--fail-on', 'high'],
    given,
  )
  expect([forced.code, readFileSync(join(cwd, 'out/report.html'), 'utf8').startsWith('severity,')]).toEqual([1, true])
  expect(readdirSync(join(cwd, 'out'))).toEqual(['report.html'])
  expect(deepscan(cwd, ['export', '--from', '-', '--fail-on', 'high'], lines(aFinding())).code).toBe(0)
})

test('what is no finding is refused with its line, and none at all is nothing to do', () => {
  const cwd = tempFolder()
  writeFileSync(join(cwd, 'bad.jsonl'), `${lines(aFinding())}{"type":"fix"}\n\n{"type":"finding","v":1}\n`)
  expect(deepscan(cwd, ['reduce', 'bad.jsonl'])).toMatchObject({
    ...{ code: 2, stdout: '' },
    stderr: expect.stringMatching(/^deepscan: bad\.jsonl:4 is no finding: id: .*; deepscan schema finding shows/),
  })
  expect(deepscan(cwd, ['reduce', '-']).code).toBe(3)
  expect(deepscan(cwd, ['reduce', '-', '--by', 'colour'], given).code).toBe(2)
  expect(deepscan(cwd, ['reduce', '-', '--threshold', '2'], given).code).toBe(2)
})

test('a scan: its findings are verified, reduced to its report.json, exported and compared', () => {
  const cwd = tempRepo({ 'src/a.ts': 'run(query(sql))\nstop()\n', 'src/gone.ts': 'query(sql)\n' })
  const env = { ...process.env, DEEPSCAN_HOME: tempFolder() }
  const inScan = (...args: string[]) => {
    const { code, stdout, stderr } = run('deepscan', args, { cwd, env })
    return { code, stdout, stderr }
  }
  const id = inScan('init', '.', '-q').stdout.trim()
  for (const words of [['reduce'], ['export'], ['export', 'report.sarif']]) {
    expect(inScan(...words)).toMatchObject({
      ...{ code: 3, stdout: '' },
      stderr: expect.stringContaining('nothing of the scan was analysed yet'),
    })
  }
  expect(existsSync(join(cwd, 'report.sarif'))).toBe(false)
  const folder = join(env.DEEPSCAN_HOME, 'scans', id)
  const moved = aFinding({ line: 2, end_line: 2 })
  const opposite = aFinding({ title: 'No query is put together from user input', line: 1, end_line: 1, column: 5 })
  writeFileSync(join(folder, 'findings.jsonl'), lines(moved, opposite, aFinding({ path: 'src/gone.ts' })))
  rmSync(join(cwd, 'src/gone.ts'))
  expect(
    inScan('verify')
      .stdout.split('\n')
      .map((line) => line.split(' ').slice(0, 2).join(' ')),
  ).toEqual([...['moved src/a.ts:1:5', 'verified src/a.ts:1:5', 'ghost src/gone.ts:1:1', '']])
  expect(readFileSync(join(folder, 'findings.jsonl'), 'utf8').split('\n').length).toBe(7)
  const reduced = inScan('reduce', '--json', '--agree')
  expect([reduced.code, reduced.stderr]).toEqual([
    5,
    '3 findings: 2 distinct, at 2 places; 2 contradict others of the same place; 1 left out: their quote is nowhere, or they were refuted\n' +
      'deepscan: 2 findings contradict others of the same place; look at them with deepscan reduce --json, and decide by hand [DS-203]\n' +
      `${reduced.stderr.split('\n')[2]}\n`,
  ])
  expect(JSON.parse(reduced.stdout)).toMatchObject({ scan: id, totals: { given: 3, ghosts: 1, contradictions: 2 } })
  expect(readFileSync(join(folder, 'report.json'), 'utf8')).toBe(reduced.stdout)
  expect(statSync(join(folder, 'report.json')).mode & 0o777).toBe(0o600)
  expect(inScan('export').stdout).toBe(reduced.stdout)
  expect(JSON.parse(inScan('status', '--json').stdout).phase).toBe('completed')
  writeFileSync(join(cwd, 'now.jsonl'), lines(opposite))
  expect(inScan('diff', '-', '-')).toMatchObject({ code: 2, stderr: expect.stringContaining('put one into a file') })
  expect(inScan('diff', id, 'now.jsonl', '-q').stdout).toBe(`${moved.id}\n${opposite.id}\n`)
})

test('map, status, list, reduce and export tell the same of a scan, also when it is mapped again', () => {
  const cwd = tempRepo({ 'a.js': 'if (a === NaN) stop()\n', 'b.js': 'if (b === NaN) stop()\n' })
  const env = { ...process.env, DEEPSCAN_HOME: tempFolder() }
  const deepscan = (...args: string[]) => run('deepscan', args, { cwd, env }).stdout
  for (const words of [['init'], ['chunk'], ['map'], ['verify'], ['reduce']]) deepscan(...words)
  expect(JSON.parse(deepscan('map', '--json')).findings).toBe(2)
  expect(JSON.parse(deepscan('status', '--json'))).toMatchObject({ findings: 2, phase: 'completed', progress: 100 })
  expect(JSON.parse(deepscan('list', '--json'))).toMatchObject([{ phase: 'completed' }])
  expect(JSON.parse(deepscan('reduce', '--json')).totals).toMatchObject({ given: 2, places: 2 })
  expect(JSON.parse(deepscan('export')).totals).toMatchObject({ given: 2, places: 2 })
})

test('diff tells new, fixed and persisting findings apart by fingerprint, also after a move', () => {
  const cwd = tempFolder()
  const stays = aFinding({ id: 'a'.repeat(20), line: 1 })
  const moved = aFinding({ id: 'b'.repeat(20), quote: 'child_process.exec(command)' })
  const before = lines(stays, moved, aFinding({ id: 'c'.repeat(20), quote: 'gone' }))
  writeFileSync(join(cwd, 'before.jsonl'), before)
  const after = lines(
    { ...stays, line: 40, end_line: 40 },
    { ...moved, id: 'd'.repeat(20), path: 'src/b.ts' },
    aFinding({ id: 'e'.repeat(20), quote: 'fresh', severity: 'high' }),
  )
  const args = ['diff', 'before.jsonl', '-']
  const { code, stdout, stderr } = deepscan(cwd, args, after)
  expect([code, stdout.replaceAll(/ (?:high|medium) .*?(?= \(|$)/gm, '').split('\n'), stderr]).toEqual([
    0,
    [
      'new src/a.ts:1:1',
      'fixed src/a.ts:1:1',
      'persisting src/a.ts:40:1',
      'persisting src/b.ts:1:1 (was src/a.ts:1)',
      '',
    ],
    '1 new, 1 fixed, 2 persisting\n',
  ])
  expect(deepscan(cwd, [...args, '--only', 'new', '-q'], after).stdout).toBe(`${'e'.repeat(20)}\n`)
  expect(deepscan(cwd, [...args, '--fail-on', 'high'], after).code).toBe(1)
  const validate = new Ajv({ strict: false }).compile({ ...schemas.change, $schema: undefined })
  for (const change of JSON.parse(deepscan(cwd, [...args, '--json'], after).stdout)) expect(validate(change)).toBe(true)
})

test('many findings are reduced, whatever they are alike in', () => {
  const number = scaled(50_000)
  const words = [
    'query',
    'leak',
    'token',
    'cache',
    'lock',
    'path',
    'race',
    'input',
    'retry',
    'upload',
    'session',
    'redirect',
  ]
  const many = Array.from({ length: number }, (_, index) => {
    const title = [index, index * 7, index * 13, index * 31, index >> 4].map((at) => words[at % words.length]).join(' ')
    const place = { path: `src/${index % 500}.ts`, line: 1 + (index % 900), end_line: 1 + (index % 900) }
    return aFinding({ title: `${title} ${index % 1000}`, quote: `call${index}()`, ...place })
  })
  const crowd = Array.from({ length: scaled(5_000) }, (_, index) =>
    aFinding({ title: `${words[index % 12]} ${index}` }),
  )
  const { code, stderr } = deepscan(tempFolder(), ['reduce', '-', '-q'], lines(...many, ...crowd))
  expect([code, stderr]).toEqual([0, ''])
})
