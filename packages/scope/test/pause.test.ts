import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cleanEnv, faultEnv, scaled, script } from '@switchyard/testkit'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { pausedSchema } from '../src/end/paused-schema.ts'
import { socketOf } from '../src/tmux/tmux.ts'
import { isGone, type Sessions, sessions, until } from './sessions.ts'

const fixture = fileURLToPath(new URL('../../../docs/formats/fixtures/worktree-mark.json', import.meta.url))
const author = ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.invalid']

/** Work of every kind, made once; then the agent stays, until there is a file `go` in the store. */
const works = `[ -e a.txt ] || {
  echo one >a.txt; git add a.txt; git commit -qm "Add a"
  echo staged >b.txt; git add b.txt; echo more >>b.txt; git rm -q --cached README.md; echo two >>README.md
  mkdir sub out; echo new >sub/c.txt; echo ignored >x.log; echo made >out/o; ln -s /nowhere link; chmod +x a.txt
}
touch "$SCOPE_DIR/ready-$SCOPE_SESSION_ID"
[ -e "$SCOPE_DIR/go" ] || sleep 600`

async function atWork({ act = works, flags = [] as readonly string[], worker = '0' } = {}) {
  const at = sessions({ act })
  at.write('.gitignore', '*.log\nout/\n')
  at.git('add', '--all')
  at.git('commit', '--quiet', '-m', 'Ignore')
  const id = at.spawn('Work apart', '--worktree', ...flags)
  const path = join(at.root, '.worktrees', 'scope', id)
  await ready(at, worker)
  return { at, id, path, go: () => writeFileSync(join(at.root, '.scope', 'go'), '') }
}

const ready = (at: Sessions, id: string) =>
  until(() => existsSync(join(at.root, '.scope', `ready-${id}`)), `the agent of ${id} to have worked`)

/** All that is in a worktree: what git says of it, what is staged, and what git ignores. */
const allIn = (at: Sessions, path: string) => ({
  status: at.git('-C', path, 'status', '--porcelain', '--untracked-files=all', '--ignored'),
  staged: at.git('-C', path, 'diff', '--cached'),
  changed: at.git('-C', path, 'diff'),
  texts: ['README.md', 'sub/c.txt', 'x.log', 'out/o'].map((name) => readFileSync(join(path, name), 'utf8')),
  head: at.git('-C', path, 'log', '--format=%s'),
})

const othersRefs = (at: Sessions) =>
  at.git('for-each-ref', '--format=%(refname) %(objectname)').replace(/^.*scope\/0 .*$/m, '')

const turnOf = (at: Sessions, id: string) => at.poll(id).turn

describe('scope pause', () => {
  it('ends the agent, keeps all that is in no commit on its branch, and frees the worktree until resume gives it back', async () => {
    const { at, id, path, go } = await atWork()
    const [before, refs, agent] = [allIn(at, path), othersRefs(at), Number(at.heard(id, 'pid'))]
    for (const name of ['post-checkout', 'pre-commit', 'post-commit', 'reference-transaction'])
      script(join(at.root, '.git', 'hooks', name), `#!/bin/sh\ntouch ${at.root}/hook-ran\n`)
    const { code, stdout } = at.scope(['pause', id, '--json'])
    expect(code).toBe(0)
    const paused = pausedSchema.parse(JSON.parse(stdout))
    expect(paused).toMatchObject({ id, status: 'running', turn: 'paused', worktree: path, branch: 'scope/0' })
    expect(paused.commit).toBe(at.git('rev-parse', 'scope/0'))
    expect([isGone(agent), existsSync(path), at.has('hook-ran')]).toEqual([true, false, false])
    expect([at.file(id, 'state'), at.file(id, 'turn')]).toEqual(['running\n', 'paused\n'])
    expect(at.poll(id)).toMatchObject({ status: 'running', turn: 'paused', alive: false, exit_reason: null })
    expect(at.git('log', '-3', '--format=%s %an', 'scope/0').split('\n')).toEqual([
      'scope pause of session 0: what was in no commit scope',
      'scope pause of session 0: what was staged scope',
      'Add a Tester',
    ])
    expect([at.git('stash', 'list'), othersRefs(at)]).toEqual(['', refs])
    expect(JSON.parse(at.scope(['worktree', 'list', '--json']).stdout)).toMatchObject([{ there: false, paused: true }])
    expect(at.scope(['worktree', 'diff', id]).stdout).toContain('+more')
    const schema = z.fromJSONSchema(JSON.parse(at.scope(['schema', 'worktree-mark']).stdout))
    for (const file of [join(at.root, '.scope', 'worktrees', '0.json'), fixture])
      expect(schema.parse(JSON.parse(readFileSync(file, 'utf8')))).toMatchObject({
        parked: { tip: expect.any(String) },
      })
    expect(at.scope(['worktree', 'drop', id])).toMatchObject({ code: 5, stderr: expect.stringContaining('is paused') })
    expect(at.scope(['wait', id, '--timeout', '100ms']).code).toBe(124)
    expect(at.scope(['pause', id]).code).toBe(0)

    rmSync(join(at.root, '.git', 'hooks'), { recursive: true })
    at.git('checkout', '--quiet', 'scope/0')
    expect(readFileSync(join(at.root, 'sub', 'c.txt'), 'utf8')).toBe('new\n')
    const refused = at.scope(['resume', id])
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining(`scope/0 is checked out in ${at.root}`)])
    at.git('checkout', '--quiet', 'main')
    go()
    expect(at.scope(['resume', id])).toMatchObject({
      code: 0,
      stdout: '0\n',
      stderr: expect.stringContaining('is so again'),
    })
    expect(at.wait(id).code).toBe(0)
    expect(allIn(at, path)).toEqual(before)
    expect([at.git('log', '-1', '--format=%s', 'scope/0'), othersRefs(at)]).toEqual(['Add a', refs])
    expect(existsSync(`${path}.ignored`)).toBe(false)
    expect(at.poll(id)).toMatchObject({ status: 'done', exit_reason: null })
    expect(at.events(id).map(({ event }) => event)).toEqual(expect.arrayContaining(['paused', 'resumed', 'done']))
    expect(at.events(id).map(({ event }) => event)).not.toContain('failed')
  })

  it('goes on in the conversation of the agent, with a prompt, and without a worktree too', async () => {
    const says = `printf '%s' '{"hook_event_name":"SessionStart","session_id":"talk-1","source":"startup","cwd":"/"}' | scope hook --host claude`
    const at = sessions({ act: `[ -e go ] || { ${says}; touch ready; sleep 600; }` })
    const id = at.spawn('Work here')
    await until(() => existsSync(join(at.root, 'ready')), 'the agent to be at work')
    expect(at.scope(['pause', id])).toMatchObject({ code: 0, stdout: 'session 0 is paused\n' })
    at.write('go', '')
    expect(at.scope(['resume', id, 'And now the tests']).code).toBe(0)
    expect(at.wait(id).code).toBe(0)
    expect(at.heard(id, 'argv')).toContain('talk-1')
    expect(at.heard(id, 'prompt')).toBe('And now the tests')
  })

  it('closes the terminal of an agent, and resume opens another in its conversation', async () => {
    const hook = `printf '{"session_id":"talk-1","cwd":"/","hook_event_name":"SessionStart","source":"startup"}' | scope hook --host claude --launched`
    const at = sessions({ act: `${hook}; sleep 600`, env: { SCOPE_BACKEND: 'tmux' }, keepsStdin: true })
    const tmux = (...words: readonly string[]) =>
      spawnSync('tmux', ['-L', socketOf({ path: join(at.root, '.scope') }), ...words], { env: cleanEnv() }).status
    onTestFinished(() => void tmux('kill-server'))
    const id = at.spawn('Work')
    await until(() => at.poll(id).agent_session === 'talk-1', 'the agent to have told its conversation')
    const agent = Number(at.heard(id, 'pid'))
    expect(at.scope(['pause', id]).code).toBe(0)
    expect([isGone(agent), tmux('has-session', '-t', '=scope-0'), turnOf(at, id)]).toEqual([true, 1, 'paused'])
    expect(at.scope(['send', id, 'hello'])).toMatchObject({ code: 5 })
    expect(at.scope(['resume', id, 'And the tests']).code).toBe(0)
    await until(() => at.heard(id, 'argv').includes('And the tests'), 'the agent to go on')
    expect(at.heard(id, 'argv')).toContain('talk-1')
    expect([tmux('has-session', '-t', '=scope-0'), at.poll(id).status]).toEqual([0, 'running'])
    at.scope(['abort', id])
  })

  it('refuses what it could not keep, before anything is ended', async () => {
    const { at, id, path } = await atWork()
    const refused = () => {
      const { code, stdout, stderr } = at.scope(['pause', id])
      expect([code, stdout, turnOf(at, id), isGone(Number(at.heard(id, 'pid')))]).toEqual([5, '', 'busy', false])
      return stderr
    }
    mkdirSync(join(path, 'other'))
    at.git('-C', join(path, 'other'), 'init', '--quiet')
    at.git('-C', join(path, 'other'), ...author, 'commit', '--quiet', '--allow-empty', '-m', 'Mine')
    expect(refused()).toContain('has another repository in other')
    rmSync(join(path, 'other'), { recursive: true })
    const admin = at.git('-C', path, 'rev-parse', '--absolute-git-dir')
    writeFileSync(join(admin, 'MERGE_HEAD'), `${at.git('rev-parse', 'HEAD')}\n`)
    expect(refused()).toContain('is in the middle of something (MERGE_HEAD)')
    rmSync(join(admin, 'MERGE_HEAD'))
    at.git('-C', path, 'checkout', '--quiet', '-b', 'elsewhere')
    expect(refused()).toContain("is on elsewhere, its session's is scope/0; git switch scope/0")
    at.git('-C', path, 'checkout', '--quiet', 'scope/0')
    at.scope(['spawn', 'Beside'], { cwd: path })
    await ready(at, '1')
    expect(refused()).toContain('session 1 works in')
    at.scope(['abort', '1'])
    expect(at.scope(['pause', '1'])).toMatchObject({ code: 5, stderr: expect.stringContaining('session 1 is aborted') })
    expect(at.scope(['pause', 'none']).code).toBe(3)
    expect(
      at.scope(['pause', id], {}, { SCOPE_DIR: join(at.root, '.scope'), SCOPE_SESSION_ID: '0.1' }).stderr,
    ).toContain('session 0 cannot pause itself')
    // Whatever stands in `.git`, git works in no other repository.
    const pointer = readFileSync(join(path, '.git'), 'utf8')
    writeFileSync(join(path, '.git'), `gitdir: ${join(at.root, '.git')}\n`)
    expect(refused()).toContain('is no worktree of this repository any more')
    writeFileSync(join(path, '.git'), pointer)
    expect(at.scope(['pause', id]).code).toBe(0)
  })

  it('is gone on with behind commits that somebody made on top, and not where the work of the pause is gone', async () => {
    const { at, id, path, go } = await atWork()
    at.scope(['pause', id])
    const tip = at.git('rev-parse', 'scope/0')
    at.git('branch', '--force', 'scope/0', 'scope/0~1')
    const refused = at.scope(['resume', id])
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining('no longer has')])
    at.git('branch', '--quiet', '--delete', '--force', 'scope/0')
    expect(at.scope(['resume', id])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining(`git branch scope/0 ${tip}`),
    })
    at.git('branch', 'scope/0', tip)
    at.git('checkout', '--quiet', 'scope/0')
    at.git('commit', '--quiet', '--allow-empty', '-m', 'On top')
    at.git('checkout', '--quiet', 'main')
    go()
    expect(at.scope(['resume', id])).toMatchObject({ code: 0, stderr: '' })
    expect(at.wait(id).code).toBe(0)
    expect(at.git('log', '-2', '--format=%s', 'scope/0')).toBe(
      'On top\nscope pause of session 0: what was in no commit',
    )
    expect(at.git('-C', path, 'status', '--porcelain')).toBe('')
    expect(readFileSync(join(path, 'x.log'), 'utf8')).toBe('ignored\n')
  })

  it('pauses a loop with its worker and what that has started, and resume has all of them go on', async () => {
    const act = `case $SCOPE_SESSION_ID in *.0) ;; *) [ -e "$SCOPE_DIR/go" ] || scope spawn Below >/dev/null ;; esac; ${works}`
    const flags = ['--checker', 'test -e a.txt']
    const { at, id, path, go } = await atWork({ act, flags, worker: '0-0-do' })
    await ready(at, '0-0-do.0')
    const all = [id, '0-0-do', '0-0-do.0']
    const pids = all.slice(1).map((one) => Number(at.heard(one, 'pid')))
    const { code, stdout } = at.scope(['pause', id, '--quiet'])
    expect([code, stdout]).toEqual([0, `${all.join('\n')}\n`])
    expect(all.map((one) => turnOf(at, one))).toEqual(['paused', 'paused', 'paused'])
    expect([existsSync(path), ...pids.map(isGone)]).toEqual([false, true, true])
    expect(at.scope(['resume', '0-0-do.0'])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('which is paused; scope resume 0'),
    })
    go()
    expect(at.scope(['resume', id]).code).toBe(0)
    expect(at.wait(id).code).toBe(0)
    expect(at.poll(id).loop).toMatchObject({ iteration: 0, verdict: 'accept' })
    expect(all.map((one) => at.poll(one).status)).toEqual(['done', 'done', 'done'])
    expect(readFileSync(join(path, 'b.txt'), 'utf8')).toBe('staged\nmore\n')
  })

  it('pauses what a session starts meanwhile, and one that is paused starts no other', async () => {
    const forEver = 'while :; do sleep 0.1; done'
    const at = sessions({
      act: `case $SCOPE_SESSION_ID in 0) trap '' TERM; while :; do scope spawn Child; done ;; *) ${forEver} ;; esac`,
    })
    const id = at.spawn('Busy')
    await until(() => at.hasHeard('0.1'), 'two children to run')
    const { code, stdout } = at.scope(['pause', id, '--quiet'])
    expect([code, stdout.split('\n')[0]]).toEqual([0, id])
    const views = JSON.parse(at.scope(['list', '--all', '--json']).stdout)
    expect(views.length).toBeGreaterThan(2)
    expect(views.filter(({ turn, alive }: { turn: string; alive: boolean }) => turn !== 'paused' || alive)).toEqual([])
    const late = at.scope(['spawn', 'Late'], {}, { SCOPE_SESSION_ID: id })
    expect([late.code, late.stderr]).toEqual([5, 'scope: session 0 is paused, and starts no other; scope resume 0\n'])
    expect(at.scope(['list', '--all', '--quiet']).stdout.trim().split('\n')).toHaveLength(views.length)
    expect(at.scope(['abort', id]).code).toBe(0)
  })

  it('that is aborted while it is paused keeps its work on its branch, and drop asks before it goes', async () => {
    const { at, id, path } = await atWork()
    at.scope(['pause', id])
    expect(at.scope(['abort', id]).code).toBe(0)
    expect(at.poll(id)).toMatchObject({ status: 'aborted', turn: null })
    expect(at.scope(['worktree', 'drop', id]).stderr).toContain('3 commits that nobody else has')
    expect(at.scope(['worktree', 'drop', id, '--force']).code).toBe(0)
    expect([existsSync(`${path}.ignored`), at.git('branch', '--list', 'scope/0')]).toEqual([false, ''])
  })

  it('loses nothing, whatever is killed between any two of its steps, and of those of resume', async () => {
    const { at, id, path } = await atWork()
    const before = allIn(at, path)
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8', env: cleanEnv() }).trim()
    const [count, target] = [join(at.bin, 'count'), join(at.bin, 'target')]
    const nth = `n=$(($(cat ${count}) + 1)); echo $n >${count}; [ $n != "$(cat ${target})" ] || kill -9 $PPID`
    at.script('git', `[ ! -e ${target} ] || { ${nth}; }\nexec ${real} "$@"`)
    const killedAtGit = async (number: number, verb: string) => {
      writeFileSync(count, '0\n')
      writeFileSync(target, `${number}\n`)
      // In a process of its own, which git can kill.
      const { signal } = await at.start([verb, id]).done
      rmSync(target)
      return signal === 'SIGKILL'
    }
    const killedAtFile = async (number: number, verb: string) =>
      at.scope([verb, id], {}, faultEnv({ call: '*', nth: number, action: 'kill', match: 'worktrees/' })).signal ===
      'SIGKILL'
    let kills = 0
    const cases = [
      ['pause', killedAtGit, 29],
      ['pause', killedAtFile, 60],
      ['resume', killedAtGit, 12],
      ['resume', killedAtFile, 40],
    ] as const
    for (const [verb, killed, steps] of cases) {
      const stride = Math.max(1, Math.floor(steps / scaled(steps, 15)))
      for (let number = 1; number <= steps; number += stride) {
        if (verb === 'resume') expect(at.scope(['pause', id])).toMatchObject({ code: 0 })
        kills += (await killed(number, verb)) ? 1 : 0
        // What was cut short is repeated, or the other is done at once.
        if (turnOf(at, id) !== 'paused' || number % 2 === 0) at.scope(['pause', id])
        expect([verb, number, at.scope(['resume', id]).code]).toEqual([verb, number, 0])
        expect([verb, number, allIn(at, path)]).toEqual([verb, number, before])
      }
    }
    expect(kills).toBeGreaterThan(8)
  })
})
