import { mkdirSync, realpathSync } from 'node:fs'
import { basename, join } from 'node:path'
import { git, run, tempFolder, tempRepo } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { postedNotice } from '../src/notify/notice-schema.ts'
import { parseFields } from '../src/notify/read-notice.ts'
import { ok } from './place.ts'

const research = ['notify', 'librarian', 'RESEARCH', 'Retry headers', 'confidence=high', 'sources=3']

function repo() {
  const root = tempRepo({ 'docs/retries.md': 'Retries.\n' })
  const env = { JWZ_AGENT: 'ada' }
  const tool = (name: 'loop' | 'jwz', args: readonly string[], input = '', cwd = root) =>
    run(name, args, { cwd, env, input })
  return { root, tool }
}

it('posts a notice with its fields to the project, where a search finds it', () => {
  const { root, tool } = repo()
  const path = join(root, 'docs/retries.md')
  const said = tool('loop', [...research, '--summary', 'Seconds, never dates', '--path', path, '--json'])
  expect(said).toMatchObject({ code: 0, stderr: '' })
  const posted = postedNotice.parse(JSON.parse(said.stdout))
  expect(posted).toMatchObject({
    ...{ agent: 'librarian', notice: 'RESEARCH', subject: 'Retry headers', path: 'docs/retries.md' },
    ...{ topic: `project:${basename(root)}`, fields: { confidence: 'HIGH', sources: '3' } },
  })
  const read = JSON.parse(ok(tool('jwz', ['show', posted.id, '--json'])).stdout)
  const message = read.message ?? read
  expect(message.body).toBe(
    '[librarian] RESEARCH: Retry headers\nPath: docs/retries.md\nSummary: Seconds, never dates\nConfidence: HIGH\nSources: 3',
  )
  expect(ok(tool('jwz', ['search', 'RESEARCH', '--quiet'])).stdout).toBe(`${posted.id}\n`)
})

it('carries the report itself, and belongs to the issue that is named or worked on', () => {
  const { root, tool } = repo()
  const id = ok(
    tool('loop', [...research, '--summary', 's', '-F', '-', '--issue', 'ab12', '--quiet'], 'The report.\n'),
  ).stdout
  const [message] = JSON.parse(ok(tool('jwz', ['read', 'issue:ab12', '--json'])).stdout)
  expect(message.id).toBe(id.trim())
  expect(message.body.endsWith('Sources: 3\n\nThe report.\n')).toBe(true)
  const inRun = run('loop', [...research, '--summary', 's', '-F', '-'], {
    cwd: root,
    env: { LOOP_ISSUE: 'cd34' },
    input: 'x',
  })
  expect(inRun.stdout).toMatch(/^[0-9A-Z]{26} {2}issue:cd34\n$/)
  mkdirSync(join(root, 'below'))
  const below = tool('loop', [...research, '--summary', 's', '-F', '-'], 'x', join(root, 'below'))
  expect(below.stdout.trim().endsWith(`project:${basename(root)}`)).toBe(true)
})

it('names the project for the main repository in a worktree, and for the folder where there is none', () => {
  const { root, tool } = repo()
  const linked = join(tempFolder('linked'), 'other-name')
  git(root, 'worktree', 'add', '--quiet', '--detach', linked)
  const there = tool('loop', [...research, '--summary', 's', '--path', 'docs/retries.md', '--json'], '', linked)
  expect(JSON.parse(there.stdout)).toMatchObject({ topic: `project:${basename(root)}`, path: 'docs/retries.md' })
  const bare = realpathSync(tempFolder('bare'))
  expect(tool('loop', [...research, '--summary', 's', '-F', '-'], 'x', bare).stdout).toContain(
    `project:${basename(bare)}`,
  )
})

it.each([
  [
    'a type that is none',
    ['notify', 'a', 'NEWS', 's'],
    2,
    'expected RESEARCH, REVIEW, ANALYSIS, DECISION, DOCS, got NEWS',
  ],
  ['a field that is missing', ['notify', 'a', 'RESEARCH', 's', 'sources=1'], 2, 'confidence is missing'],
  ['a field that is none', [...research, 'colour=red'], 2, 'got colour=red'],
  ['a field twice', [...research, 'sources=4'], 2, 'got sources twice'],
  ['a word that is no field', [...research, 'red'], 2, 'got red'],
  ['no summary', [...research, '-F', '-'], 2, 'expected --summary to be one line, got nothing'],
  ['a summary of two lines', [...research, '-F', '-', '--summary', 'a\nb'], 2, 'to be one line'],
  ['neither a file nor a report', [...research, '--summary', 's'], 2, 'got neither'],
  ['a file that is not there', [...research, '--summary', 's', '--path', 'gone.md'], 3, 'expected a file at'],
])('refuses %s and posts nothing', (_, args, code, told) => {
  const { tool } = repo()
  const refused = tool('loop', args, 'x')
  expect(refused).toMatchObject({ code, stdout: '' })
  expect(refused.stderr).toContain(told)
  expect(tool('jwz', ['topic', 'list', '--quiet']).stdout).toBe('')
})

it('knows what each type must say', () => {
  expect(parseFields('REVIEW', ['blocking=0', 'non-blocking=2', 'verdict=lgtm'])).toEqual({
    blocking: '0',
    'non-blocking': '2',
    verdict: 'LGTM',
  })
  expect(parseFields('ANALYSIS', ['finding=a = b', 'status=resolved', 'confidence=LOW'])['finding']).toBe('a = b')
  expect(parseFields('DECISION', ['recommendation=a', 'alternatives=b', 'tradeoffs=c'])).toHaveProperty('tradeoffs')
  expect(parseFields('DOCS', ['sections=A', 'audience=all'])).toEqual({ sections: 'A', audience: 'all' })
  expect(() => parseFields('REVIEW', ['blocking=some', 'non-blocking=1'])).toThrow('expected blocking to be a number')
  expect(() => parseFields('ANALYSIS', ['status=DONE'])).toThrow('RESOLVED, NEEDS_INPUT or UNRESOLVED')
})
