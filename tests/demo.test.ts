import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cleanEnv, git, run, tempFolder } from '@switchyard/testkit'
import { beforeAll, describe, expect, it } from 'vitest'

const demo = fileURLToPath(new URL('demo', import.meta.url))

function shell(command: string, cwd: string, env: Record<string, string> = {}) {
  return spawnSync('bash', ['-c', command], { cwd, env: cleanEnv(env), encoding: 'utf8', maxBuffer: 1 << 28 })
}

describe('npm run demo', () => {
  let folder: string
  let repository: string
  let code: number | null
  let output: string

  beforeAll(() => {
    folder = tempFolder('demo')
    const result = spawnSync(process.execPath, [join(demo, 'run.mjs')], {
      env: cleanEnv({ TMPDIR: folder }),
      encoding: 'utf8',
    })
    code = result.status
    output = result.stdout + result.stderr
    const made = readdirSync(folder).find((name) => name.startsWith('switchyard-demo-')) ?? ''
    repository = join(folder, made, 'tally')
  })

  it('exits 0', () => {
    expect(code, output).toBe(0)
  })

  it('closes every issue that has a rewrite, and reports the one that has none', () => {
    const issues: { status: string; finding: { fixable: boolean; offer?: boolean } }[] = JSON.parse(
      run('tissue', ['list', '--all', '--limit', '1000', '--json'], { cwd: repository }).stdout,
    )
    expect(issues).toHaveLength(14)
    const hasRewrite = ({ finding }: (typeof issues)[number]) => finding.fixable || finding.offer === true
    const closed = issues.filter(({ status }) => status === 'closed')
    expect([closed.length, closed.every(hasRewrite)]).toEqual([13, true])
    expect(issues.filter(({ status }) => status === 'paused').map(hasRewrite)).toEqual([false])
  })

  it('lands each defect once, one commit an issue, and none for the one that another landing fixed', () => {
    const trailers = git(repository, 'log', '--format=%(trailers:key=Issue,valueonly)', 'main')
      .split('\n')
      .filter((line) => line !== '')
    expect(new Set(trailers).size).toBe(trailers.length)
    expect(trailers).toHaveLength(12)
  })

  it('leaves the base checked out, clean, without a worktree, a branch or a claim', () => {
    expect(git(repository, 'symbolic-ref', '--short', 'HEAD')).toBe('main')
    expect(
      git(repository, 'status', '--porcelain')
        .split('\n')
        .filter((line) => !/\.tissue/.test(line))
        .join(''),
    ).toBe('')
    expect(git(repository, 'worktree', 'list').split('\n')).toHaveLength(1)
    expect(git(repository, 'branch', '--list', 'loop/*')).toBe('')
    const issues: { claim: unknown }[] = JSON.parse(
      run('tissue', ['list', '--all', '--json'], { cwd: repository }).stdout,
    )
    expect(issues.filter(({ claim }) => claim !== null)).toEqual([])
    expect(
      existsSync(join(repository, '.worktrees/loop')) ? readdirSync(join(repository, '.worktrees/loop')) : [],
    ).toEqual([])
  })

  it('makes the program right: every check that failed before holds', () => {
    const after = shell(`npm test >/dev/null && node '${join(demo, 'defects.mjs')}'`, repository)
    expect(JSON.parse(after.stdout)).toEqual({ checks: 12, failed: [] })
  })

  it('leaves nothing to find but what has no rewrite', () => {
    const left = run('deepscan', ['run', './src', '--all-rules', '--json'], { cwd: repository })
    expect(JSON.parse(left.stdout).map(({ rule }: { rule: string }) => rule)).toEqual(['js/insecure-random'])
  })
})

describe('the sample', () => {
  it('has every planted defect before', () => {
    const sample = join(mkdtempSync(join(tmpdir(), 'switchyard-sample-')), 'tally')
    cpSync(join(demo, 'sample'), sample, { recursive: true })
    const before = shell(`npm test >/dev/null && node '${join(demo, 'defects.mjs')}'`, sample)
    expect(JSON.parse(before.stdout).failed).toHaveLength(12)
  })
})
