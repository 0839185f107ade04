import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnv, full, run, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { logOf, recordsIn } from './fixture.ts'

const finding = {
  v: 1,
  type: 'finding',
  id: 'f1',
  rule: 'no-eval',
  title: 'Call of eval',
  severity: 'high',
  path: 'src/a.ts',
  line: 3,
}
const line = (changes: object) => `${JSON.stringify({ ...finding, ...changes })}\n`

function tissue(cwd: string, args: readonly string[], input = '') {
  const { code, stdout, stderr } = run('tissue', args, { cwd, input, env: { JWZ_AGENT: 'ada' } })
  return { code, stdout, stderr }
}

describe('tissue import', () => {
  it('prints the ids it made, then nothing for the same findings; a closed issue stays closed', () => {
    const root = tempFolder('import')
    const findings = line({ column: 5, quote: 'eval(x)', fixable: true }) + line({ id: 'f2', severity: 'low' })
    const first = tissue(root, ['import', '-', '--quiet'], findings)
    const ids = first.stdout.trimEnd().split('\n')
    expect(first).toEqual({ code: 0, stdout: `${ids.join('\n')}\n`, stderr: '' })
    expect(ids).toHaveLength(2)
    const [id = ''] = ids
    expect(JSON.parse(tissue(root, ['show', id, '--json']).stdout)).toMatchObject({
      title: 'Call of eval in src/a.ts:3',
      body: 'src/a.ts:3:5\n\n    eval(x)',
      priority: 1,
      tags: ['deepscan', 'no-eval'],
      key: 'deepscan:f1',
      finding: { ...finding, column: 5, quote: 'eval(x)', fixable: true },
    })
    tissue(root, ['close', id])
    expect(tissue(root, ['import'], findings + line({ id: 'f3' }) + line({ id: 'f3' }))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^[a-z0-9-]+\n$/),
      stderr: '2 already there, 1 of them closed and not reopened\n',
    })
    expect(JSON.parse(tissue(root, ['import', '--json'], findings).stdout)).toMatchObject([
      { id, key: 'deepscan:f1', created: false, closed: true },
      { id: ids[1], created: false, closed: false },
    ])
    expect(JSON.parse(tissue(root, ['show', id, '--json']).stdout).status).toBe('closed')
  })

  it('writes nothing when one line is bad, for a dry run and for no lines at all', () => {
    const root = tempFolder('import')
    expect(tissue(root, ['import', '-'], `${line({})}\n{"v":1}\n{"v":1,`)).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'tissue: expected findings or events, one a line: line 3 is neither a finding nor an event; line 4 is no JSON object; nothing was written\n',
    })
    expect(tissue(root, ['import', '-'], '')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(tissue(root, ['import', '-', '--dry-run'], line({}))).toEqual({
      code: 0,
      stdout: 'P1  Call of eval in src/a.ts:3\n',
      stderr: 'would make 1 issue\n',
    })
    expect(tissue(root, ['import', 'none.jsonl']).code).toBe(3)
    expect(() => readFileSync(logOf(root))).toThrow('ENOENT')
  })

  it('waits for a slow producer and writes once, at its end', () => {
    const root = tempFolder('import')
    writeFileSync(join(root, 'f'), line({}) + line({ id: 'f2' }))
    const command = `set -o pipefail; (head -1 f; sleep ${full ? 5 : 1}; test ! -e .tissue; tail -1 f) | tissue import - --quiet | wc -l`
    const { status, stdout } = spawnSync('bash', ['-c', command], { cwd: root, env: cleanEnv(), encoding: 'utf8' })
    expect({ status, lines: stdout.trim() }).toEqual({ status: 0, lines: '2' })
  })

  it('fails with its producer under pipefail, and makes nothing of nothing', () => {
    const root = tempFolder('import')
    const { status } = spawnSync('bash', ['-c', 'set -o pipefail; false | tissue import - --quiet'], {
      cwd: root,
      env: cleanEnv(),
    })
    expect(status).toBe(1)
    expect(() => readFileSync(logOf(root))).toThrow('ENOENT')
  })
})

describe('the bus', () => {
  it('hears of each change on tissue:feed and on the topic of the issue, under the id of the event', () => {
    const root = tempFolder('bus')
    mkdirSync(join(root, '.jwz/topics'), { recursive: true })
    const id = tissue(root, ['new', 'Told', '-b', 'x'.repeat(40_000)]).stdout.trim()
    expect(tissue(root, ['claim', id])).toMatchObject({ code: 0, stderr: '' })
    const feed = messagesIn(join(root, '.jwz/topics/tissue/feed.jsonl'))
    // A claim is told once it is confirmed; the confirmation itself is nobody's news.
    const events = recordsIn(root).filter(({ type }) => type !== 'confirmed')
    expect(feed.map((message) => message['id'])).toEqual(events.map((event) => event['id']))
    expect(feed.at(-1)).toMatchObject({ from: 'ada', topic: 'tissue:feed', data: events.at(-1) })
    expect(feed[1]).toMatchObject({ body: `${id} created: Told`, data: { issue: id, cut: true } })
    expect(messagesIn(join(root, `.jwz/topics/issue/${id}.jsonl`)).map((message) => message['id'])).toEqual(
      events.slice(1).map((event) => event['id']),
    )
  })

  it('that cannot be written to is only a note: the log has the change', () => {
    const root = tempFolder('bus')
    mkdirSync(join(root, '.jwz/topics'), { recursive: true })
    writeFileSync(join(root, '.jwz/topics/tissue'), 'a file where a folder has to be')
    const { code, stderr } = tissue(root, ['new', 'Told'])
    expect(code).toBe(0)
    expect(stderr).toMatch(/^written, but not published on the bus: /)
    expect(recordsIn(root)).toHaveLength(2)
    const lost = run('tissue', ['new', 'Told'], { cwd: root, env: { JWZ_STORE: '' } })
    expect(lost.code).toBe(0)
    expect(lost.stderr).toMatch(/^written, but not published on the bus: /)
    expect(recordsIn(root)).toHaveLength(3)
  })
})

function messagesIn(path: string): Record<string, unknown>[] {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text))
}
