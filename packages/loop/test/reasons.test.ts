// Why something did not do is told everywhere in the same words: the command, how it ended, what it said.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, outOfTime, run } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { hook } from './hook-fixture.ts'
import { events, ok, place, read, results, show } from './place.ts'
import { answered, sessionAt } from './session-place.ts'

const silent = 'the verify command failed: `test -e done.txt` exited with 1; it said nothing'
const save = (agents: string) => `printf '%s' "$prompt" > ${agents}/prompt-$LOOP_ITERATION\n`

describe('the reason', () => {
  it('of an issue is in the prompts, the progress, the record, the comment and the status', () => {
    const at = place()
    const id = at.issue('one')
    const agent = at.agent('lie', `${save(at.agents)}echo $LOOP_ITERATION > "$title"`)
    const finished = at.loop('run', '--issues', '--with', agent, '--verify', 'test -e done.txt', '--jsonl')
    const reason = `3 times the same: ${silent}`
    expect(finished.code).toBe(9)
    expect(results(finished)[id]).toMatchObject({ outcome: 'stuck', iterations: 3, reason })
    expect(finished.stderr).toContain(`${id}: stuck (${reason})`)
    expect(show(at.root, id).comments.at(-1)?.body).toContain(`Stuck after 3 iterations: ${reason}`)
    expect(at.loop('status').stdout).toContain(`\n  stuck  3/5  ${reason}\n`)
    expect(JSON.parse(at.loop('status', '--json').stdout)).toMatchObject({ iteration: 3, outcome: 'stuck', reason })
    expect(read(at.agents, 'prompt-2')).toContain(`${silent}\n`)
    expect(read(at.agents, 'prompt-2')).not.toContain('in the same way')
    expect(read(at.agents, 'prompt-3')).toContain(
      `${silent}\n\nIt failed in the same way 2 times in a row. The third time the loop stops`,
    )
  })

  it('of a task in a session is in what the agent and the person hear, and in the anchor', () => {
    const at = place()
    const { loop, stop } = sessionAt(at, 's-1')
    ok(loop('start', 'x', '--check', "printf '\\n\\033[31mred\\033[0m\\nmore\\n'; test -e done.txt", '--max', '9'))
    const first = 'exited with 1: red'
    const stopped = [1, 2, 3].map((n) => {
      appendFileSync(join(at.root, 'n.txt'), `${n}`)
      if (n === 3) hook('claude-pre-compact', at.root, { session_id: 's-1' })
      return answered(stop('<loop-done>done</loop-done>'))
    })
    expect(stopped[0]?.block).toContain(`${first}\nThe end of its output:\n`)
    expect(stopped[1]?.block).toContain('The third time the loop stops')
    expect(stopped[2]?.warning).toContain(first)
    expect(loop('status', '--anchor').stdout).toMatch(new RegExp(`\nNext: the verify command failed: .*${first}\n`))
    expect(loop('status', '--all').stdout).toContain(first)
  })

  it('of a runner names it, its exit code and what it said, and that a turn left work is recorded', () => {
    const at = place()
    const id = at.issue('one')
    const agent = at.agent('fail', 'echo 1 > "$title"; git add -A; git commit -qm mine; echo no disk >&2; exit 7')
    const finished = at.loop('run', '--issues', '--max-iterations', '1', '--with', agent, '--verify', 'true', '--jsonl')
    expect(results(finished)[id]).toMatchObject({
      outcome: 'gave-up',
      reason: `the runner failed: \`${agent}\` exited with 7: no disk`,
    })
    expect(events(at.root).find(({ event }) => event === 'ran')).toMatchObject({ verdict: 'failed', changed: true })
    expect(finished.stderr).toContain('the runner says failed\n')
    const slow = outOfTime(
      (limit) => at.loop('run', 'x', '--with', 'echo half; sleep 600', '--timeout', limit, '--max', '1'),
      ({ stdout }) => stdout.endsWith('half\n'),
    )
    expect(slow.stdout).toMatch(
      /^task {2}gave-up {2}the runner failed: `echo half; sleep 600` did not end within \d+ ms and was stopped: half\n$/,
    )
    expect(at.loop('status').stdout).toContain('  gave-up  x\n  gave-up  1/1  the runner failed: ')
  })

  it('for people says what the agent said', () => {
    const at = place()
    const id = at.issue('one')
    const agent = at.agent('lie', save(at.agents))
    at.loop('run', '--issues', '--max-iterations', '2', '--with', agent, '--verify', 'true')
    expect(read(at.agents, 'prompt-2')).toContain('You said that it is done, but nothing changed in the worktree.')
    const comment = show(at.root, id).comments.at(-1)?.body
    expect(comment).toContain('the agent said that it is done, but nothing changed in the worktree')
    expect(comment).not.toContain('You said')
  })
})

it('keeps telling of a conflict until the change is made again', () => {
  const at = place()
  const id = at.issue('one')
  const theirs = `git -C ${at.root} -c user.name=B -c user.email=b@e commit -qam theirs`
  const agent = at.agent(
    'meet',
    `${save(at.agents)}case $LOOP_ITERATION in
1) echo mine > a.txt; echo theirs > ${at.root}/a.txt; ${theirs} ;;
2) exit 4 ;;
3) echo 'not yet'; exit 5 ;;
4) echo both > a.txt ;;
esac`,
  )
  const finished = ok(at.loop('run', '--issues', '--with', agent, '--verify', 'true', '--jsonl'))
  expect(results(finished)[id]).toMatchObject({ outcome: 'landed', iterations: 4 })
  const ref = `refs/loop/salvage/`
  for (const iteration of [2, 3, 4]) {
    const prompt = read(at.agents, `prompt-${iteration}`)
    for (const text of ['+ mine', '+theirs', ref]) expect(prompt).toContain(text)
  }
  expect(read(at.agents, 'prompt-4')).toContain('exited with 5: not yet')
  expect(git(at.root, 'show', 'HEAD:a.txt')).toBe('both')
})

it('counts a verdict on the same change once', () => {
  const at = place({ 'a.txt': 'one\n', 'loop.json': '{"review": true, "reviewer": "echo why; echo CHANGES"}' })
  const id = at.issue('one')
  const agent = at.agent('once', `${save(at.agents)}[ $LOOP_ITERATION -gt 1 ] || echo 1 > "$title"`)
  const finished = at.loop('run', '--issues', '--with', agent, '--verify', 'true', '--jsonl')
  const reason = results(finished)[id]?.['reason']
  expect(reason).toMatch(/^The review asks for changes: .*why/)
  expect(reason).toContain('Nothing is changed since.')
  expect(
    run('jwz', ['read', `issue:${id}`, '--json'], { cwd: at.root }).stdout.match(/CHANGES_REQUESTED/g),
  ).toHaveLength(1)
})
