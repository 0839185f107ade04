import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { git, outOfTime, run } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { events, isGone, landedIds, leftovers, ok, place, read, results, show } from './place.ts'

describe('loop run with a runner that', () => {
  it('hangs stops it and its grandchildren at the timeout, and gives up', () => {
    const hang = (limit: string) => {
      const at = place()
      const id = at.issue('x')
      const noted = `echo $$ > ${at.agents}/new; mv ${at.agents}/new ${at.agents}/pid`
      const agent = at.agent('hang', `sh -c 'trap "" TERM; ${noted}; while :; do sleep 1; done' & wait`)
      const args = ['--max-iterations', '1', '--timeout', limit, '--with', agent, '--verify', 'true', '--jsonl']
      return { at, id, finished: at.loop('run', '--issues', ...args) }
    }
    const { at, id, finished } = outOfTime(hang, (tried) => existsSync(join(tried.at.agents, 'pid')))
    expect(finished.code).toBe(9)
    expect(results(finished)[id]).toMatchObject({ outcome: 'gave-up', iterations: 1 })
    expect(isGone(Number(read(at.agents, 'pid')))).toBe(true)
    expect(show(at.root, id)).toMatchObject({ status: 'paused', claim: null })
    expect(leftovers(at.root)).toEqual([])
  })

  it('crashes once is run again in what it left; one that prints garbage is judged by its exit code', () => {
    const at = place()
    const ids = [at.issue('crash'), at.issue('garbage')]
    const agent = at.agent(
      'crash',
      `if [ "$title" = garbage ]; then head -c 3000000 /dev/urandom; echo x > y.txt
elif [ -e half ]; then echo x > x.txt; rm half; else touch half; kill -9 $$; fi`,
    )
    ok(at.loop('run', '--issues', '--with', agent, '--verify', 'test -e x.txt'))
    expect(landedIds(at.root)).toEqual(ids)
    expect(git(at.root, 'ls-tree', '-r', '--name-only', 'main')).toBe('a.txt\nx.txt\ny.txt')
  })

  it('says done without a change is told so, then given up', () => {
    const at = place()
    const id = at.issue('x')
    const agent = at.agent('idle', `echo "$prompt" > ${at.agents}/prompt-$LOOP_ITERATION`)
    const finished = at.loop('run', '--issues', '--max-iterations', '2', '--with', agent, '--verify', 'true', '--jsonl')
    expect(finished.code).toBe(9)
    expect(results(finished)[id]).toMatchObject({ outcome: 'gave-up', iterations: 2 })
    expect(read(at.agents, 'prompt-2')).toContain('nothing changed in the worktree')
  })

  it('gets place, identity, stores and the issue, and nothing of the session around', () => {
    const at = place()
    const id = at.issue('x')
    const agent = at.agent(
      'look',
      `printf '%s\\n' "$prompt" | tail -1 > ${at.agents}/json; env > ${at.agents}/env; pwd >> ${at.agents}/env; jwz post notes -m hello; echo x > x.txt`,
    )
    const env = { CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli', GIT_DIR: '/nowhere' }
    ok(run('loop', ['run', '--issues', '--with', agent, '--verify', 'true'], { cwd: at.root, env }))
    const seen = read(at.agents, 'env')
    const [{ run: runId } = { run: '' }] = events(at.root)
    for (const line of [
      `LOOP_RUN_ID=${runId}`,
      `LOOP_ISSUE=${id}`,
      'LOOP_ITERATION=1',
      `JWZ_AGENT=loop-${String(runId).slice(-6)}-1`,
      `JWZ_STORE=${at.root}/.jwz`,
      `TISSUE_STORE=${at.root}/.tissue`,
    ]) {
      expect(seen.split('\n')).toContain(line)
    }
    expect(seen).toMatch(new RegExp(`^LOOP_WORKTREE=${at.root}/\\.worktrees/loop/`, 'm'))
    expect(seen).not.toMatch(/^(CLAUDE|GIT_DIR)/m)
    expect(JSON.parse(read(at.agents, 'json'))).toMatchObject({ id, title: 'x' })
    expect(ok(run('jwz', ['latest', 'notes'], { cwd: at.root })).stdout).toContain('hello')
  })
})

describe('loop run when verify fails', () => {
  it('iterates with the output, gives up at the limit, keeps the work and says where', () => {
    const at = place()
    const id = at.issue('x')
    const agent = at.agent(
      'wrong',
      `echo "$prompt" > ${at.agents}/prompt-$LOOP_ITERATION; echo "try $LOOP_ITERATION" > x.txt`,
    )
    const finished = at.loop(
      'run',
      '--issues',
      '--max-iterations',
      '3',
      '--with',
      agent,
      '--verify',
      'echo because of $LOOP_ITERATION; exit 1',
      '--jsonl',
    )
    expect(finished.code).toBe(9)
    const result = results(finished)[id]
    expect(result).toMatchObject({
      outcome: 'gave-up',
      iterations: 3,
      salvage: expect.stringMatching(/^refs\/loop\/salvage\//),
    })
    expect(read(at.agents, 'prompt-2')).toContain('because of 1')
    expect(git(at.root, 'show', `${result?.['salvage']}:x.txt`)).toBe('try 3')
    expect(show(at.root, id)).toMatchObject({ status: 'paused', claim: null })
    expect(show(at.root, id).comments.at(-1)?.body).toContain(String(result?.['salvage']))
    expect(leftovers(at.root)).toEqual([])
  })
})
