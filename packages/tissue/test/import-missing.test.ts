import { tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { json, tissue } from './tissue.ts'

const finding = (id: string, path: string) =>
  `${JSON.stringify({ v: 1, type: 'finding', id, rule: 'r', title: 'T', severity: 'low', path, line: 1 })}\n`
const [a, b, c] = [finding('a', 'src/a.ts'), finding('b', 'src/b.ts'), finding('c', 'lib/c.ts')]

function statuses(root: string): Record<string, string> {
  const issues: { key?: string; status: string }[] = json(root, 'list', '--all')
  return Object.fromEntries(issues.map(({ key, status }) => [key ?? 'none', status]))
}

function imported(root: string, input: string, ...args: string[]) {
  return tissue(root, ['import', '-', '--close-missing', ...args], input)
}

describe('tissue import --close-missing', () => {
  it('closes the issues of findings that are gone, and opens those that come back', () => {
    const root = tempFolder('missing')
    tissue(root, ['new', 'By hand'])
    tissue(root, ['import', '-'], `${a}${b}${c}`)
    expect(imported(root, c, '--json')).toMatchObject({ code: 0, stderr: '3 already there, 2 closed now\n' })
    const gone = { 'deepscan:a': 'closed', 'deepscan:b': 'closed', 'deepscan:c': 'open', none: 'open' }
    expect(statuses(root)).toEqual(gone)
    const [id = ''] = tissue(root, ['list', '--status', 'closed', '--quiet']).stdout.split('\n')
    expect(json(root, 'show', id).close_reason).toBe('no longer found (import --close-missing)')
    expect(tissue(root, ['import', '-'], `${a}${b}`).stderr).toBe('2 already there, 2 opened again or moved on\n')
    expect(statuses(root)).toEqual({ ...gone, 'deepscan:a': 'open', 'deepscan:b': 'open' })
  })

  it('leaves what somebody else closed as it is', () => {
    const root = tempFolder('missing')
    const [id = ''] = tissue(root, ['import', '-'], a).stdout.split('\n')
    tissue(root, ['close', id, '--reason', 'not worth it', '--quiet'])
    imported(root, b)
    expect(tissue(root, ['import', '-'], a).stderr).toBe('1 already there, 1 of them closed and not reopened\n')
    expect(json(root, 'show', id).close_reason).toBe('not worth it')
  })

  it('looks only within the files and folders it is told, and leaves what is held', () => {
    const root = tempFolder('missing')
    const ids = tissue(root, ['import', '-'], `${a}${b}${c}`).stdout.split('\n')
    tissue(root, ['claim', ids[0] ?? '', '--quiet'])
    const { stderr } = imported(root, finding('d', 'src/d.ts'), '--within', './src/', '--within', 'libx')
    expect(stderr).toMatch(/^no longer found, but left to who holds it: \S+\n1 already there, 1 closed now\n$/)
    expect(statuses(root)).toMatchObject({
      'deepscan:a': 'in_progress',
      'deepscan:b': 'closed',
      'deepscan:c': 'open',
      'deepscan:d': 'open',
    })
  })

  it('takes no finding at all for a scan that failed, unless forced', () => {
    const root = tempFolder('missing')
    tissue(root, ['import', '-'], a)
    expect(imported(root, '')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'tissue: expected findings beside --close-missing, got none; a scan that failed looks like that; add --force if nothing is left to be found\n',
    })
    expect(imported(root, '', '--dry-run', '--force').stderr).toBe('would make 0 issues and change 1\n')
    expect(statuses(root)).toEqual({ 'deepscan:a': 'open' })
    expect(imported(root, '', '--force')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '1 already there, 1 closed now\n',
    })
    expect(statuses(root)).toEqual({ 'deepscan:a': 'closed' })
  })
})
