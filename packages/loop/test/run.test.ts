import { execFileSync, spawn } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { bin, cleanEnv, run, script, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { landedIds, leftovers, ok, place, results, show } from './place.ts'

describe('loop run with ids on stdin', () => {
  it('works exactly those, and reports what tissue does not know', () => {
    const at = place()
    const [one, two] = [at.issue('one'), at.issue('two')]
    const agent = at.agent('x', 'echo 1 > "$title"')
    const finished = run('loop', ['run', '--issues', '-', '--with', agent, '--verify', 'true', '--jsonl'], {
      cwd: at.root,
      input: `${two}\nno-such-1\n${two}\n`,
    })
    expect(finished.code).toBe(1)
    expect(results(finished)).toMatchObject({ [two]: { outcome: 'landed' }, 'no-such-1': { outcome: 'skipped' } })
    expect(show(at.root, one).status).toBe('open')
    expect(landedIds(at.root)).toEqual([two])
  })

  it('waits for a slow producer to its end', () => {
    const at = place()
    const id = at.issue('one')
    const agent = at.agent('x', 'echo 1 > "$title"')
    const pipeline = `(sleep 1; echo ${id}; sleep 0.5) | "$0" "$1" run --issues - --with ${agent} --verify true --quiet`
    const child = spawn('bash', ['-o', 'pipefail', '-c', pipeline, process.execPath, bin('loop')], {
      cwd: at.root,
      env: cleanEnv(),
    })
    let stdout = ''
    child.stdout.on('data', (chunk) => {
      stdout += chunk
    })
    return new Promise<void>((done, fail) => {
      child.on('close', (code) => {
        try {
          expect([code, stdout]).toEqual([0, `${id}\n`])
          done()
        } catch (error) {
          fail(error)
        }
      })
    })
  })

  it('prints one document with --json, and ids of what landed with --quiet', () => {
    const at = place()
    const [one, two] = [at.issue('one'), at.issue('two')]
    const agent = at.agent('x', 'echo 1 > "$title"')
    const drain = ['run', '--issues', '--with', agent, '--verify', 'true', '--max', '1']
    const json = ok(at.loop(...drain, '--json'))
    expect(JSON.parse(json.stdout)).toMatchObject([{ issue: one, outcome: 'landed', iterations: 1 }])
    expect(ok(at.loop(...drain, '--quiet')).stdout).toBe(`${two}\n`)
  })

  it('has nothing to do when there are none', () => {
    const at = place()
    const finished = at.loop('run', '--issues', '-', '--with', 'true', '--verify', 'true')
    expect([finished.code, finished.stdout]).toEqual([3, ''])
  })

  it('works an issue that waits for another after that one', () => {
    const at = place()
    const [late, early] = [at.issue('late'), at.issue('early')]
    ok(run('tissue', ['dep', 'add', early, 'blocks', late], { cwd: at.root }))
    const agent = at.agent('x', 'echo 1 > "$title"')
    const finished = run('loop', ['run', '--issues', '-', '-j', '2', '--with', agent, '--verify', 'true'], {
      cwd: at.root,
      input: `${late}\n${early}\n`,
    })
    expect([finished.code, landedIds(at.root)]).toEqual([0, [early, late]])
  })
})

const gitPath = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()

describe('loop run that cannot begin', () => {
  const at = place()
  it.each([
    [['--with', 'true'], 'expected a task, --issues or --issue ID, got none'],
    [['do it', '--issues', '--with', 'true'], 'expected a task, --issues or --issue ID, got several'],
    [['--issue', 'x', '--issues', '--with', 'true'], 'got several'],
    [['--issues', '--with', 'true'], 'expected a command that verifies the work, got none; give --verify CMD'],
    [['--issues', '--verify', 'true'], 'expected a runner, got none; give --with CMD'],
    [['--issues', '--with', 'true', '--check', 'true'], 'expected --verify for issues, got --check'],
    [['do it', '--with', 'true', '--verify', 'true'], 'expected flags of a task, got --verify; a task has --check CMD'],
    [['do it', '--with', 'true', '--base', 'main'], 'expected flags of a task, got --base'],
    [['do it', '--with', 'true', '--budget', 'much'], 'expected --budget to be tokens or dollars, got "much"'],
    [['do it', '--with', 'true', '--deadline', 'soon'], 'expected --deadline to be a time from now'],
    [['do it', '--with', 'true', '--context', 'continue'], 'expected the name of an agent for --context continue'],
    [['do it', '--with', 'true', '--context', 'stale'], 'expected --context to be fresh, continue or hybrid:K'],
    [['do it', '--with', 'true', '--prompt', 'none.md'], 'it cannot be read: ENOENT'],
    [['-F', 'none.md', '--with', 'true'], 'it cannot be read: ENOENT'],
    [[' ', '--with', 'true'], 'expected a task, got an empty text'],
  ])('says what is wrong with %j', (args, said) => {
    const finished = at.loop('run', ...args)
    expect([finished.code, finished.stdout]).toEqual([2, ''])
    expect(finished.stderr).toContain(said)
  })

  it.each([
    ['tissue', 'true'],
    ['git', 'true'],
    ['scope', 'claude'],
  ])('names %s when it is not on PATH, and the runner is %s', (missing, runner) => {
    const folder = tempFolder('path')
    for (const name of ['tissue', 'sh']) if (name !== missing) script(join(folder, name), '#!/bin/sh\nexit 0\n')
    if (missing !== 'git') symlinkSync(gitPath, join(folder, 'git'))
    const finished = run('loop', ['run', '--issues', '--with', runner, '--verify', 'true'], {
      cwd: at.root,
      env: { PATH: folder },
    })
    expect([finished.code, finished.stdout]).toEqual([8, ''])
    expect(finished.stderr).toBe(`loop: expected ${missing} on PATH, it is not there; install ${missing}\n`)
  })

  it('ends with 8 when tissue prints something else', () => {
    const at = place()
    const folder = tempFolder('path')
    script(join(folder, 'tissue'), '#!/bin/sh\necho "not json"\n')
    const finished = run('loop', ['run', '--issues', '--with', 'true', '--verify', 'true'], {
      cwd: at.root,
      env: { PATH: `${folder}:${process.env['PATH']}` },
    })
    expect(finished.code).toBe(8)
    expect(leftovers(at.root)).toEqual([])
  })
})
