import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { git } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { isGone, landedIds, ok, place, read } from './place.ts'

/** Starts a process that has no parent and no session in common with the runner, and waits until it has said its pid. */
const leave = (file: string) =>
  `(setsid sh -c 'echo $$ >${file}.new; mv ${file}.new ${file}; exec sleep 600' >/dev/null 2>&1 &)\nwhile [ ! -e ${file} ]; do sleep 0.05; done`

describe.runIf(process.platform === 'linux')('a process that leaves its session and its parent', () => {
  it('is ended before verify looks, and that of verify before it lands; what is of another run stays', async () => {
    const at = place()
    const id = at.issue('x')
    const [ofRunner, ofVerify] = [`${at.agents}/runner.pid`, `${at.agents}/verify.pid`]
    const env = { PATH: process.env['PATH'], LOOP_RUN_ID: 'another', LOOP_ITERATION: '1' }
    const other = spawn('sh', ['-c', 'echo there; exec sleep 600'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
    await once(other.stdout, 'data')
    try {
      const runner = at.agent('w', `${leave(ofRunner)}\necho good >x.txt`)
      const state = `cat /proc/$(cat ${ofRunner})/stat 2>/dev/null | cut -d' ' -f3`
      const verify = at.agent('v', `s=$(${state}); ${leave(ofVerify)}\n[ -z "$s" ] || [ "$s" = Z ]`)
      ok(at.loop('run', '--issues', '--with', runner, '--verify', verify))
      expect(landedIds(at.root)).toEqual([id])
      expect([ofRunner, ofVerify].map((file) => isGone(Number(read(file, ''))))).toEqual([true, true])
      expect(other.exitCode).toBeNull()
      expect(isGone(other.pid ?? 0)).toBe(false)
    } finally {
      other.kill('SIGKILL')
    }
  })

  it('is ended after a timeout, and by the recovery of a run that was killed', () => {
    const at = place()
    at.issue('x')
    const [late, orphan] = [`${at.agents}/late.pid`, `${at.agents}/orphan.pid`]
    const slow = at.agent('slow', `${leave(late)}\nsleep 600`)
    const args = ['run', '--issues', '--verify', 'true', '--max-iterations', '1'] as const
    expect(at.loop(...args, '--timeout', '5s', '--with', slow).code).toBe(9)
    expect(isGone(Number(read(late, '')))).toBe(true)
    const owner = `${at.root}/.git/loop/$LOOP_RUN_ID/owner.json`
    const kill = `kill -9 $(sed -n 's/.*"pid":\\([0-9]*\\).*/\\1/p' ${owner}); sleep 600`
    at.issue('y')
    at.loop(...args, '--with', at.agent('deadly', `${leave(orphan)}\necho work >w.txt; ${kill}`))
    ok(at.doctor('--fix'))
    expect(isGone(Number(read(orphan, '')))).toBe(true)
    expect(landedIds(at.root)).toEqual([])
    expect(git(at.root, 'for-each-ref', '--format=%(refname)', 'refs/loop/salvage')).not.toBe('')
  })
})
