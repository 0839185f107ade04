// A run that was killed is gone on with by the next, from what it left, and everybody is told.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { git, type Started } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { events, landedIds, leftovers, ok, type Place, place, read, results, show } from './place.ts'

async function untilThere(path: string): Promise<void> {
  for (let tries = 0; !existsSync(path); tries++) {
    if (tries > 3000) throw new Error(`expected ${path} within a minute`)
    await sleep(20)
  }
}

/** Kills the run once its agent has noted that it worked; the agent lives on as an orphan, or is killed first. */
async function killRun(at: Place, started: Started, how: 'loop' | 'agent and loop'): Promise<void> {
  await untilThere(join(at.agents, 'worked'))
  if (how !== 'loop') process.kill(Number(read(at.agents, 'worked')), 'SIGKILL')
  started.child.kill('SIGKILL')
  started.child.stdout?.destroy()
  started.child.stderr?.destroy()
  while (started.child.exitCode === null && started.child.signalCode === null) await sleep(2)
}

/** The first call commits one file, leaves another and hangs; the next ones do the rest. */
const work = (agents: string) => `printf '%s' "$prompt" > ${agents}/prompt
if [ ! -e ${agents}/worked ]; then
  echo 1 > committed.txt; git add -A; git commit -qm 'By the agent'; echo 2 > left.txt
  echo $$ > ${agents}/pid; mv ${agents}/pid ${agents}/worked; exec sleep 600
fi
echo 3 > rest.txt`

describe.each(['loop', 'agent and loop'] as const)('after kill -9 of %s', (how) => {
  it('the next run goes on from what was left, and says so', async () => {
    const at = place()
    const id = at.issue('one')
    const args = [
      'run',
      '--issues',
      '--with',
      at.agent('work', work(at.agents)),
      '--verify',
      'cat committed.txt left.txt rest.txt',
      '--jsonl',
    ]
    await killRun(at, at.start(...args), how)
    const next = ok(at.loop(...args))
    expect(results(next)[id]).toMatchObject({ outcome: 'landed', iterations: 1 })
    expect(git(at.root, 'ls-tree', '--name-only', 'HEAD').split('\n')).toEqual(
      expect.arrayContaining(['committed.txt', 'left.txt', 'rest.txt']),
    )
    expect(git(at.root, 'log', '--format=%s', '-2').split('\n')).toEqual(['one', 'By the agent'])
    expect(landedIds(at.root)).toEqual([id, id])
    const ref = git(at.root, 'for-each-ref', '--format=%(refname)', 'refs/loop')
    expect(ref).toMatch(/^refs\/loop\/salvage\/\S+$/)
    expect(read(at.agents, 'prompt')).toContain(
      `What it left is in this worktree: go on from it. It is kept in ${ref}, too.`,
    )
    expect(next.stderr).toContain(`${id}: goes on from what a dead run left in ${ref}\n`)
    expect(show(at.root, id).comments[0]?.body).toContain(`What it left is kept in ${ref}. This run goes on from it.`)
    expect(events(at.root).find(({ event }) => event === 'resumed')).toMatchObject({ salvage: ref, applied: true })
    expect(leftovers(at.root)).toEqual([])
  })
})

it('what was left and does not fit the base any more is named', async () => {
  const at = place()
  const id = at.issue('one')
  const args = ['run', '--issues', '--with', at.agent('work', work(at.agents)), '--verify', 'cat rest.txt', '--jsonl']
  await killRun(at, at.start(...args), 'loop')
  writeFileSync(join(at.root, 'committed.txt'), 'other\n')
  git(at.root, 'add', 'committed.txt')
  git(at.root, 'commit', '-qm', 'Other')
  const next = ok(at.loop(...args))
  expect(results(next)[id]).toMatchObject({ outcome: 'landed' })
  expect(read(at.root, 'committed.txt')).toBe('other\n')
  const ref = git(at.root, 'for-each-ref', '--format=%(refname)', 'refs/loop')
  expect(git(at.root, 'show', `${ref}:left.txt`)).toBe('2')
  expect(read(at.agents, 'prompt')).toContain(`look at it (git show ${ref}) before you begin.`)
  expect(show(at.root, id).comments[0]?.body).toContain('It conflicts with what is on main now; the work begins anew.')
  expect(git(at.root, 'status', '--porcelain', '--', ':!.tissue')).toBe('')
  expect(leftovers(at.root)).toEqual([])
})

it("an agent's own commits are joined with the issue, and are else as they were", () => {
  const at = place()
  const id = at.issue('one')
  const when = 'GIT_AUTHOR_DATE="2020-01-02T03:04:05+0600" GIT_AUTHOR_NAME=Añn GIT_AUTHOR_EMAIL=a@e'
  const agent = at.agent(
    'commit',
    `echo 1 > one.txt; git add -A; ${when} git commit -q -m 'First' -m 'Body: of it' -m 'Signed-off-by: A <a@e>'
echo 2 > two.txt; git add -A; git commit -q -m 'Second' -m 'Issue: ${id}'
printf 'Third, no end of line' > msg; echo 3 > three.txt; git add three.txt; git commit -q -F msg; rm msg
echo 4 > four.txt`,
  )
  ok(at.loop('run', '--issues', '--with', agent, '--verify', 'true'))
  expect(landedIds(at.root)).toEqual([id, id, id, id])
  expect(git(at.root, 'log', '--format=%an %aI %s', '--reverse', '-4').split('\n')[0]).toBe(
    'Añn 2020-01-02T03:04:05+06:00 First',
  )
  expect(git(at.root, 'log', '--format=%B', '-1', 'HEAD~3').trim()).toBe(
    `First\n\nBody: of it\n\nSigned-off-by: A <a@e>\nIssue: ${id}`,
  )
  expect(git(at.root, 'log', '--format=%B', '-1', 'HEAD~2').trim()).toBe(`Second\n\nIssue: ${id}`)
  expect(git(at.root, 'log', '--format=%B', '-1', 'HEAD~1').trim()).toBe(`Third, no end of line\n\nIssue: ${id}`)
  expect(read(at.root, 'four.txt')).toBe('4\n')
  expect(leftovers(at.root)).toEqual([])
})
