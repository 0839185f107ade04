import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { signatureOf } from '@switchyard/ground/signature'
import { cleanEnv, git, run, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { isGone, ok, place, show, write } from './place.ts'
import { answered, sessionAt } from './session-place.ts'

const goesOn = 'A process of loop runs it on'

/** A check that notes its pid, then waits for a word: the exit code it shall have. */
function slow() {
  const folder = tempFolder('slow')
  const [log, word] = [join(folder, 'log'), join(folder, 'word')]
  writeFileSync(log, '')
  const pids = () => readFileSync(log, 'utf8').split('\n').slice(0, -1).map(Number)
  const alive = () => pids().filter((pid) => !isGone(pid))
  const command = `echo $$ >> ${log}; while ! test -s ${word}; do sleep 0.05; done; cat ${word}; exit $(tail -1 ${word})`
  return { command, pids, alive, say: (text: string) => writeFileSync(word, text), forget: () => rmSync(word) }
}

async function until(what: () => boolean): Promise<void> {
  while (!what()) await sleep(20)
}

/** What goes on beside the repository. */
const checks = (root: string) => readdirSync(join(root, '.git', 'loop')).filter((name) => name.startsWith('check-'))

/** A process of loop's own is at the check. */
const isAtWork = (root: string, { alive }: { alive: () => number[] }) =>
  checks(root).length === 1 && alive().length === 1

function session(root: string) {
  const { loop } = sessionAt({ root }, 's-1')
  const stop = (timeout: string) => {
    const input = JSON.stringify({ session_id: 's-1', cwd: root, hook_event_name: 'Stop' })
    ok(loop('signal', 'done'))
    return answered(run('loop', ['hook', '--host', 'claude', '--timeout', timeout], { cwd: root, input }))
  }
  return { loop, stop }
}

describe('a check that a hook has no time for', () => {
  it('is gone on with by a process of its own, one at a time, and the next stop reads how it ended', async () => {
    const { root, issue } = place()
    const id = issue('x')
    const { loop, stop } = session(root)
    const check = slow()
    const { command, alive, say, forget } = check
    ok(loop('start', '--issue', id, '--verify', command))
    const worktree = join(root, '.worktrees', 'loop', readdirSync(join(root, '.worktrees', 'loop'))[0] ?? '')
    write(worktree, 'b.txt', 'x\n')
    git(worktree, 'add', '.')
    git(worktree, 'commit', '-qm', 'Work')
    const first = stop('2s').block
    expect(first).toContain(goesOn)
    expect(first).not.toContain('loop verify')
    await until(() => isAtWork(root, check))
    const [before] = alive()
    expect(stop('2s').block).toContain(goesOn)
    expect(alive()).toEqual([before])
    say('b.txt says nothing\n1\n')
    await until(() => checks(root).length === 0)
    expect(stop('2s').block).toMatch(/the verify command failed[\s\S]*b\.txt says nothing/)
    forget()
    git(worktree, 'commit', '-q', '--amend', '-m', 'Same files')
    expect(stop('2s').block).toContain(goesOn)
    await until(() => isAtWork(root, check))
    say('0\n')
    await until(() => checks(root).length === 0)
    forget()
    expect(stop('60s').warning).toContain('is landed on main')
    expect(show(root, id).status).toBe('closed')
  })

  it('on top of what has landed meanwhile is no failure: the landing waits for it', async () => {
    const { root, issue } = place()
    const id = issue('x')
    const { loop, stop } = session(root)
    const check = slow()
    const { command, say, forget } = check
    ok(loop('start', '--issue', id, '--verify', `test ! -f moved || { ${command}; }`, '--max-iterations', '50'))
    const worktree = ok(run('loop', ['worktree', 'path', id], { cwd: root })).stdout.trim()
    write(worktree, 'b.txt', 'x\n')
    write(root, 'moved', '')
    for (const tree of [worktree, root]) {
      git(tree, 'add', '.')
      git(tree, 'commit', '-qm', 'Work')
    }
    // A hook that has no time for the first check either is told the other thing first.
    let told = stop('4s').block
    while (told?.includes(goesOn) && !told.includes('on top of that now')) told = stop('4s').block
    expect(told).toContain('on top of that now')
    expect(told).toContain(goesOn)
    expect(told).not.toContain('failed')
    await until(() => isAtWork(root, check))
    say('0\n')
    await until(() => checks(root).length === 0)
    forget()
    expect(stop('60s').warning).toContain('is landed on main')
  })

  it('of a task is about what is committed, and the same process waits for it where it can', async () => {
    const { root } = place()
    const { loop, stop } = session(root)
    const check = slow()
    const { command, say } = check
    ok(loop('start', 'x', '--check', command))
    write(root, 'b.txt', 'x\n')
    expect(stop('2s').block).toContain('Commit your work and stop again')
    git(root, 'add', '.')
    git(root, 'commit', '-qm', 'Work')
    const waiting = sessionAt({ root }, 's-1')
    ok(loop('signal', 'done'))
    const stopped = waiting.startStop('')
    await until(() => isAtWork(root, check))
    say('0\n')
    expect(answered(await stopped.done).warning).toContain('is complete')
  })

  it('ends with its run', async () => {
    const { root } = place()
    const { loop, stop } = session(root)
    const check = slow()
    const { command, pids } = check
    ok(loop('start', 'x', '--check', command))
    expect(stop('2s').block).toContain(goesOn)
    await until(() => isAtWork(root, check))
    ok(loop('cancel'))
    expect(stop('2s').warning).toContain('is cancelled')
    await until(() => checks(root).length === 0 && pids().every(isGone))
  })

  it('says nothing of files that changed meanwhile', async () => {
    const { root } = place()
    const { loop, stop } = session(root)
    const check = slow()
    const { command, say } = check
    ok(loop('start', 'x', '--check', command))
    expect(stop('2s').block).toContain(goesOn)
    await until(() => isAtWork(root, check))
    write(root, 'a.txt', 'changed\n')
    say('0\n')
    await until(() => checks(root).length === 0)
    expect(existsSync(join(root, '.git', 'loop', 'verified'))).toBe(false)
  })

  it('is started by a hook alone', () => {
    const { root } = place()
    const { loop } = session(root)
    const id = ok(loop('start', 'x', '--check', 'true', '-q')).stdout.trim()
    const ticket = {
      ...{ v: 1, commonDir: join(root, '.git'), run: id, tree: git(root, 'rev-parse', 'HEAD^{tree}'), command: 'true' },
      ...{ cwd: root, top: root, store: join(root, '.jwz'), told: {}, at: Date.now(), until: Date.now() + 60_000 },
    }
    const signed = (given: object, purpose: 'verified' | 'run' = 'verified') =>
      JSON.stringify({ ...given, signature: signatureOf(purpose, ['ticket', JSON.stringify(given)], cleanEnv()) })
    const check = (input: string) => run('loop', ['hook', 'check'], { cwd: root, input })
    const forged = [
      ...['', '{}', JSON.stringify(ticket), JSON.stringify({ ...ticket, signature: 'f'.repeat(64) })],
      ...[signed({ ...ticket, at: ticket.at - 120_000 }), signed({ ...ticket, at: ticket.at + 7_200_000 })],
      ...[signed(ticket, 'run'), JSON.stringify({ ...JSON.parse(signed(ticket)), command: 'true || false' })],
    ]
    for (const input of forged) {
      const finished = check(input)
      const systemMessage = expect.stringContaining('expected the ticket of a stop hook, got none')
      expect([finished.code, JSON.parse(finished.stdout)]).toEqual([0, { systemMessage }])
    }
    expect(existsSync(join(root, '.git', 'loop', 'verified'))).toBe(false)
    // A ticket that a hook would give now is one: what is above was refused for what it lacks.
    ok(check(signed({ ...ticket, at: Date.now() })))
    expect(readdirSync(join(root, '.git', 'loop', 'verified'))).toHaveLength(1)
  })
})
