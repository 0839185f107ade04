import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { git, run, start, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { type Event, isGone, leftovers, place, read } from './place.ts'

/** What the newest run of a folder recorded. */
function recorded(root: string): Event[] {
  const { run: id } = JSON.parse(run('loop', ['status', '--json'], { cwd: root }).stdout)
  const text = readFileSync(join(root, '.jwz', 'topics', 'loop', 'run', `${id}.jsonl`), 'utf8')
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).data]))
}

const save = 'cat > prompt-$LOOP_ITERATION; '

describe('loop run with a task', () => {
  it('works it where it is until its check passes, outside of git', () => {
    const cwd = tempFolder('task')
    const finished = run(
      'loop',
      ['run', 'make it three', '--with', `${save}echo $LOOP_ITERATION > x`, '--check', 'echo no; grep 3 x'],
      { cwd },
    )
    expect([finished.code, finished.stdout]).toEqual([0, 'task  complete\n'])
    expect(finished.stderr).toContain('loop: task: verify failed (exit 1)\n')
    expect(read(cwd, 'prompt-1')).toMatch(/^make it three\n\nIteration 1 of 5\.\n/)
    expect(read(cwd, 'prompt-1')).toContain(
      `You are in ${cwd}.\nWhat decides whether it is done is this command, run there: echo no; grep 3 x\n`,
    )
    expect(read(cwd, 'prompt-2')).toContain(
      '## What happened last time\n\nthe verify command failed: `echo no; grep 3 x` exited with 1: no\n',
    )
    expect(recorded(cwd).map(({ event }) => event)).toEqual([
      ...['started', 'began'],
      ...['iteration', 'ran', 'decided', 'verified', 'decided'],
      ...['iteration', 'ran', 'decided', 'verified', 'decided'],
      ...['iteration', 'ran', 'decided', 'verified', 'decided'],
      ...['done', 'finished'],
    ])
    expect(recorded(cwd)[0]).toMatchObject({ mode: 'task', goal: 'make it three', cwd, max_iterations: 5 })
  })

  it('takes the task from a file or stdin, and loop.json for what flags leave out', () => {
    const at = place({
      'task.md': 'from a file\n',
      'loop.json': `{"with": "${save}true", "limits": {"iterations": 2}}`,
    })
    const file = at.loop('run', '-F', 'task.md', '--json')
    expect([file.code, JSON.parse(file.stdout)]).toEqual([0, { issue: 'task', outcome: 'complete', iterations: 1 }])
    expect(read(at.root, 'prompt-1')).toMatch(/^from a file\n\nIteration 1 of 2\.\n/)
    expect(run('loop', ['run', '-', '--quiet'], { cwd: at.root, input: 'from stdin\n' })).toMatchObject({
      code: 0,
      stdout: 'task\n',
      stderr: '',
    })
    expect(read(at.root, 'prompt-1')).toMatch(/^from stdin\n/)
  })

  it('touches nothing of a repository but what the runner does, and leaves only transcripts', () => {
    const at = place()
    const finished = at.loop(
      'run',
      'x',
      '--with',
      'echo out; echo err >&2; echo y > y.txt; git branch --show-current',
      '--check',
      'test -e y.txt',
    )
    expect(finished.code).toBe(0)
    expect(git(at.root, 'status', '--short')).toBe('?? y.txt')
    const [started] = recorded(at.root)
    expect(read(String(started?.['log']), 'task-1.log').split('\n').sort()).toEqual(['', 'err', 'main', 'out'])
    expect(leftovers(at.root)).toEqual([])
  })

  it('gives up at its limits with 9, and says which', () => {
    const cwd = tempFolder('task')
    const given = (...args: string[]) =>
      run('loop', ['run', 'x', '--with', 'date +%N > x', '--check', 'cat x; false', ...args], { cwd })
    const iterations = given('--max', '2')
    expect(iterations.code).toBe(9)
    expect(iterations.stdout).toMatch(
      /^task {2}gave-up {2}the verify command failed: `cat x; false` exited with 1: \d+\n$/,
    )
    const late = given('--deadline', '2020-01-01')
    expect([late.code, late.stdout]).toEqual([2, ''])
    const stuck = run('loop', ['run', 'x', '--with', "echo why; echo '<loop-done>stuck</loop-done>'"], { cwd })
    expect([stuck.code, stuck.stdout]).toEqual([9, 'task  stuck  the agent says that it is stuck: why\n'])
  })

  it('ends a call at the deadline', () => {
    const cwd = tempFolder('task')
    const finished = run('loop', ['run', 'x', '--with', 'sleep 600', '--deadline', '1s'], { cwd })
    expect([finished.code, finished.stdout]).toEqual([9, 'task  gave-up  its time is over\n'])
  })

  it('stops with 8 when there is no such runner', () => {
    const finished = run('loop', ['run', 'x', '--with', 'no-such-agent --now'], { cwd: tempFolder('task') })
    expect([finished.code, finished.stdout]).toEqual([8, ''])
    expect(finished.stderr).toMatch(
      /loop: expected to run no-such-agent --now, got: .*not found; put the program on PATH/,
    )
  })

  it("carries notes from one iteration to the next, in a prompt of one's own", () => {
    const cwd = tempFolder('task')
    writeFileSync(
      join(cwd, 'p.md'),
      '{prompt}|{issue}|{iteration}/{max}|{notes}|{last_failure}|{worktree}|{other}{constructor}\n',
    )
    const agent = `${save}jwz post "$LOOP_NOTES" -q --as me -m "note {max} $LOOP_ITERATION" > /dev/null`
    const finished = run(
      'loop',
      ['run', 'do {it}', '--with', agent, '--check', 'test -e prompt-2', '--prompt', 'p.md'],
      { cwd },
    )
    expect(finished.code).toBe(0)
    const failure = 'the verify command failed: `test -e prompt-2` exited with 1; it said nothing'
    expect(read(cwd, 'prompt-1')).toBe(`do {it}|task|1/5|||${cwd}|{other}{constructor}\n`)
    expect(read(cwd, 'prompt-2')).toBe(`do {it}|task|2/5|- me: note {max} 1|${failure}|${cwd}|{other}{constructor}\n`)
  })

  const patient = `${save}while [ ! -e go-$LOOP_ITERATION ]; do sleep 0.05; done; date +%N > x`

  it('is steered, paused and resumed while it works', async () => {
    const cwd = tempFolder('task')
    const started = start('loop', ['run', 'x', '--with', patient, '--check', 'test -e go-2'], { cwd })
    await until(() => existsSync(join(cwd, 'prompt-1')))
    expect(run('loop', ['steer', 'look at y'], { cwd }).code).toBe(0)
    expect(run('loop', ['pause'], { cwd }).code).toBe(0)
    writeFileSync(join(cwd, 'go-1'), '')
    await until(() => recorded(cwd).some(({ event, step }) => event === 'decided' && isWait(step)))
    expect(existsSync(join(cwd, 'prompt-2'))).toBe(false)
    writeFileSync(join(cwd, 'go-2'), '')
    expect(run('loop', ['resume'], { cwd }).code).toBe(0)
    expect((await started.done).code).toBe(0)
    expect(read(cwd, 'prompt-2')).toContain('## What happened last time\n\nlook at y')
    const answers = recorded(cwd).flatMap(({ event, result }) => (event === 'answered' ? [result] : []))
    expect(answers).toEqual(['told at the next turn', 'paused before the next turn', 'goes on'])
  })

  it('is cancelled at once, with its runner', async () => {
    const cwd = tempFolder('task')
    const agent = `sh -c 'echo $$ > pid; sleep 600'`
    const started = start('loop', ['run', 'x', '--with', agent], { cwd })
    await until(() => existsSync(join(cwd, 'pid')) && read(cwd, 'pid') !== '')
    expect(run('loop', ['cancel'], { cwd }).code).toBe(0)
    const { code, stdout } = await started.done
    expect([code, stdout]).toEqual([5, expect.stringMatching(/^task {2}cancelled {2}cancelled by /)])
    expect(isGone(Number(read(cwd, 'pid')))).toBe(true)
  })

  it('hears what an agent signals rather than how it exits', () => {
    const cwd = tempFolder('task')
    const finished = run('loop', ['run', 'x', '--with', 'loop signal stuck --note why -q; exit 0'], { cwd })
    expect([finished.code, finished.stdout]).toEqual([9, expect.stringMatching(/^task {2}stuck/)])
  })

  it('stops its runner at the second SIGINT and exits 130', async () => {
    const at = place()
    const started = at.start('run', 'x', '--with', 'echo $$ > pid; sleep 600')
    await until(() => existsSync(join(at.root, 'pid')) && read(at.root, 'pid') !== '')
    started.child.kill('SIGINT')
    await started.waitFor(/draining/)
    started.child.kill('SIGINT')
    expect((await started.done).code).toBe(130)
    expect(isGone(Number(read(at.root, 'pid')))).toBe(true)
    expect(leftovers(at.root)).toEqual([])
  })
})

const isWait = (step: unknown) => typeof step === 'object' && step !== null && 'do' in step && step.do === 'wait'

async function until(isTime: () => boolean): Promise<void> {
  while (!isTime()) await sleep(20)
}
