import { runnerOf } from '@switchyard/exec/runner'
import { parseWorktreeList } from '@switchyard/ground/worktree-list'
import { describe, expect, it } from 'vitest'
import { renderPrompt } from '../src/by-runner/prompt.ts'
import { readVerdict } from '../src/programs/runner.ts'
import { foldTraces } from '../src/recover/recover-issue.ts'
import { exitCodeOf } from '../src/state/exit-code.ts'
import { foldRun } from '../src/state/fold-run.ts'
import { tail } from '../src/text/cut-text.ts'
import { slugOf } from '../src/worktree/slug.ts'

describe('the slug of an issue', () => {
  it('is readable and carries a hash of the whole id', () => {
    expect(slugOf('auth-k3vd')).toBe('auth-k3vd-c0cfb623')
  })

  it('differs for ids that differ only in case or in what a ref may not hold', () => {
    const ids = ['a.b', 'ab', 'A.B', 'a/b', 'a b', '../../a', '.lock', '-x', '', 'é', 'x'.repeat(300), 'x'.repeat(301)]
    const slugs = ids.map(slugOf)
    expect(new Set(slugs).size).toBe(ids.length)
    for (const slug of slugs) expect(slug).toMatch(/^[a-z0-9]([a-z0-9-]{0,47}[a-z0-9])?$/)
  })
})

describe('the verdict of a runner', () => {
  it.each([
    [0, 'hello', 'done'],
    [3, '', 'nothing'],
    [1, '', 'failed'],
    [8, '', 'failed'],
    [null, '', 'failed'],
    [1, 'x\n<loop-done>done</loop-done>\n', 'failed'],
    [0, 'x\n<loop-done>yes</loop-done>\n', 'quiet'],
    [0, '<loop-done>Nothing to do</loop-done>', 'nothing'],
    [1, '<loop-done>stuck</loop-done>\nfor want of a key', 'stuck'],
    [0, '```\n<loop-done>stuck</loop-done>\n```\n', 'done'],
    [1, 'he wrote <loop-done>yes</loop-done>', 'failed'],
  ])('of exit %s and %j is %s', (exitCode, stdout, verdict) => {
    expect(readVerdict({ exitCode, stdout, timedOut: false }).said).toBe(verdict)
  })

  it('is a timeout whatever it printed', () => {
    expect(readVerdict({ exitCode: null, stdout: '<loop-done>yes</loop-done>', timedOut: true }).said).toBe('timeout')
  })
})

it('a bare agent name means scope, anything else is a line of shell', () => {
  expect(runnerOf('claude')).toEqual({ agent: 'claude' })
  expect(runnerOf('claude -p --model x')).toEqual({ shell: 'claude -p --model x' })
})

describe('the prompt', () => {
  const parts = {
    issue: { id: 'x-1', record: { id: 'x-1', body: 'two\nlines\u2028' } },
    wanted: '# Fix it\n\nThe body.\n',
    ...{
      folder: '/w',
      base: 'main',
      verify: 'npm test',
      iteration: 2,
      max: 5,
      feedback: 'it broke',
      notes: ['ada: see x'],
    },
  }

  it('says what, where, how to finish and what went wrong', () => {
    const prompt = renderPrompt(parts)
    for (const part of [
      '# Fix it',
      'The body.',
      'iteration 2 of 5',
      '/w',
      'npm test',
      'it broke',
      'ada: see x',
      '<loop-done>',
    ])
      expect(prompt).toContain(part)
  })

  it('ends with the issue as one line of JSON', () => {
    const lines = renderPrompt(parts).split('\n')
    expect(lines.at(-1)).toBe('')
    expect(JSON.parse(lines.at(-2) ?? '')).toEqual(parts.issue.record)
  })

  it('carries the end of a long output, never half a character', () => {
    for (let bytes = 1; bytes < 12; bytes++) expect(tail('aé€😀z', bytes)).not.toContain('\ufffd')
    expect(tail('abcdef', 3)).toBe('[…]def')
    expect(tail('abc', 3)).toBe('abc')
  })
})

it('the exit code tells limits from failures and an empty list', () => {
  const of = (...outcomes: ('landed' | 'already-done' | 'gave-up' | 'parked')[]) =>
    exitCodeOf(outcomes.map((outcome) => ({ issue: 'x', outcome, iterations: 1 })))
  expect([of(), of('landed', 'already-done'), of('landed', 'gave-up'), of('gave-up', 'parked')]).toEqual([3, 0, 9, 1])
})

it('a list of worktrees is read with names that hold spaces and line breaks', () => {
  const text =
    'worktree /a b\0HEAD 1\0branch refs/heads/main\0\0worktree /c\nd\0HEAD 1\0detached\0locked loop x\0\0worktree /e\0bare\0\0'
  expect(parseWorktreeList(text)).toEqual([
    { path: '/a b', head: '1', branch: 'main', bare: false, locked: null },
    { path: '/c\nd', head: '1', branch: null, bare: false, locked: 'loop x' },
    { path: '/e', head: null, branch: null, bare: true, locked: null },
  ])
})

describe('the events of a run', () => {
  const owner = { pid: 1, start: '2', boot: '3' }
  const started = {
    event: 'started',
    run: 'r',
    owner,
    base: 'main',
    with: 'w',
    verify: 'v',
    jobs: 1,
    max_iterations: 5,
  } as const
  const at = { issue: 'x-1', worker: 'loop-r-1' }
  const claimed = { event: 'claimed', ...at, fence: 'f', title: 'T', branch: 'b', worktree: '/w' } as const

  it('fold to its state', () => {
    let status = foldRun(undefined, started, 1)
    status = foldRun(status, { event: 'claiming', ...at, slug: 's' }, 2)
    status = foldRun(status, claimed, 3)
    status = foldRun(status, { event: 'iteration', ...at, iteration: 2, max: 5 }, 4)
    expect(status).toMatchObject({
      mode: 'issues',
      iteration: 2,
      max: 5,
      issue_id: 'x-1',
      worktree: '/w',
      updated_at: 4,
      state: 'active',
    })
    status = foldRun(status, { event: 'done', worker: 'loop-r-1', issue: 'x-1', outcome: 'landed', iterations: 2 }, 5)
    expect(status).toMatchObject({ issue_id: null, landed: 1, workers: [{ worker: 'loop-r-1', phase: 'idle' }] })
    expect(foldRun(status, { event: 'finished', exit_code: 0 }, 6)).toMatchObject({ state: 'finished', exit_code: 0 })
  })

  it('tell what a dead run left unfinished', () => {
    const claiming = { event: 'claiming', ...at, slug: 's' } as const
    const landing = { event: 'landing', ...at, sha: 'abc', base_before: 'def' } as const
    const done = { event: 'done', worker: 'loop-r-1', issue: 'x-1', outcome: 'landed', iterations: 1 } as const
    expect(foldTraces([started, claiming, claimed, landing], () => true)).toEqual([
      { ...at, slug: 's', base: 'main', fence: 'f', title: 'T', landing, isPushed: false },
    ])
    expect(foldTraces([started, claiming, claimed, landing, done], () => true)).toEqual([])
    expect(foldTraces([started, claiming, claimed, landing], () => false)).toMatchObject([{ landing: undefined }])
    expect(foldTraces([started, { ...claiming, slug: 'a/../../b' }], () => true)).toEqual([])
  })
})
