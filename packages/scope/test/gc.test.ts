import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { gcSchema } from '../src/gc/gc-schema.ts'
import { type Sessions, sessions, until } from './sessions.ts'

function collected(at: Sessions, ...flags: readonly string[]) {
  const { code, stdout, stderr } = at.scope(['gc', '--json', ...flags])
  expect(code).toBe(0)
  const all = z.array(gcSchema).parse(JSON.parse(stdout))
  const told = all.map(({ kind, id, removed, why }) => `${kind} ${id}${removed ? '' : ` kept: ${why}`}`)
  return { all, told, stderr }
}

const listed = (at: Sessions): string[] => at.scope(['list', '--all', '--quiet']).stdout.split('\n').filter(Boolean)

const isId = (name: string) => /^\d+$/.test(name)

const now = ['--older-than', '0s']

describe('scope gc', () => {
  it('removes what has been over for long, says what it freed, and whoever asks for it hears so', () => {
    const at = sessions({ act: '[ "$SCOPE_SESSION_ID" != 0 ] || scope spawn Below --wait >/dev/null' })
    at.wait(at.spawn('Parent', '--id', 'first'), at.spawn('Other'))
    mkdirSync(at.folder('9'))
    utimesSync(at.folder('9'), 0, 0)
    mkdirSync(at.folder('10'))
    expect(collected(at).told).toEqual(['session 9'])
    expect(existsSync(at.folder('9'))).toBe(false)
    const dry = collected(at, ...now, '--dry-run')
    expect([dry.told, listed(at)]).toEqual([
      expect.arrayContaining(['session 0', 'session 0.0', 'session 1']),
      ['0', '0.0', '1'],
    ])
    expect(dry.stderr).toMatch(/^scope: 3 sessions and 0 runs would be removed, \d{4,} bytes\n$/)
    expect(collected(at, '--keep', '2').told).toEqual([])
    const [ended] = dry.told
    expect(ended).not.toBe('session 0')
    const feed = at.told('scope/feed').length
    const { all, stderr } = collected(at, ...now)
    expect(all.map(({ bytes }) => bytes > 1000)).toEqual([true, true, true])
    expect(stderr).toMatch(/^scope: 3 sessions and 0 runs removed, \d+ bytes\n$/)
    expect([listed(at), at.scope(['list', '--json']).stdout]).toEqual([[], '[]\n'])
    expect([at.inStore('names'), at.inStore('removed'), at.told('scope/feed').length]).toEqual([[], [], feed])
    for (const verb of ['poll', 'wait', 'result', 'logs', 'resume', 'abort', 'pause']) {
      const asked = at.scope([verb, '0'])
      expect([asked.code, asked.stdout]).toEqual([3, ''])
      expect(asked.stderr).toContain('session 0 was removed')
    }
    expect(at.scope(['poll', 'first']).stderr).toContain('session first was removed')
    expect(at.scope(['poll', '77']).stderr).toContain('there is no session 77')
    rmSync(join(at.root, '.scope', 'next_id'))
    expect([existsSync(at.folder('10')), at.spawn('Next', '--id', 'first')]).toEqual([true, '2'])
  })

  it('keeps the last N, and whatever is at work or paused with all that it belongs to', async () => {
    const act =
      'case $SCOPE_SESSION_ID in 0) scope spawn Below --wait >/dev/null; touch ready; sleep 600;; 1) touch waits; sleep 600;; esac'
    const at = sessions({ act })
    at.spawn('Long')
    at.spawn('Paused')
    await until(() => existsSync(join(at.root, 'ready')) && existsSync(join(at.root, 'waits')), 'both to be at work')
    at.scope(['pause', '1'])
    for (const task of ['Two', 'Three', 'Four']) at.wait(at.spawn(task))
    expect(collected(at, '--keep', '2').told).toEqual(['session 2'])
    expect(collected(at, ...now).told).toEqual(['session 3', 'session 4'])
    expect(listed(at)).toEqual(['0', '0.0', '1'])
    expect(at.poll('0.0').status).toBe('done')
    at.scope(['abort', '0', '1'])
    expect(collected(at, ...now).told.sort()).toEqual(['session 0', 'session 0.0', 'session 1'])
  })

  it('takes worktrees in which nothing would be lost, and leaves work that nobody else has, with its session', () => {
    const at = sessions({
      act: 'case $SCOPE_SESSION_ID in 1) echo new >a;; 2) touch b; git add b; git commit -qm B;; esac',
    })
    for (const task of ['Clean', 'Dirty', 'Commits']) at.wait(at.spawn(task, '--worktree'))
    const path = (id: string) => join(at.root, '.worktrees', 'scope', id)
    expect(collected(at, ...now).told.sort()).toEqual([
      'session 0',
      `session 1 kept: ${path('1')} has 1 file in no commit`,
      'session 2 kept: scope/2 has 1 commit that nobody else has',
    ])
    expect([existsSync(path('0')), at.git('branch', '--list', 'scope/0')]).toEqual([false, ''])
    expect(readFileSync(join(path('1'), 'a'), 'utf8')).toBe('new\n')
    at.scope(['worktree', 'merge', '2'])
    expect(collected(at, ...now).told).toContain('session 2')
    expect(at.inStore('worktrees')).toEqual(['1.json'])
  })

  it('takes a loop with its members, and runs of workflows of which no session is left', () => {
    const at = sessions()
    at.wait(at.spawn('Loop', '--checker', 'true'))
    at.write(
      'two.json',
      JSON.stringify({
        name: 'two',
        phases: [
          { name: 'a', task: 'A' },
          { name: 'b', task: 'B' },
        ],
      }),
    )
    expect(at.scope(['workflow', 'two.json']).code).toBe(0)
    expect(collected(at).told).toEqual([])
    expect(collected(at, ...now).told.sort()).toEqual([
      'run two-0',
      'session 0',
      'session 0-0-do',
      'session 1',
      'session 2',
    ])
    expect([at.inStore('workflows'), at.inStore('sessions')]).toEqual([[], []])
    expect(at.scope(['workflow', 'two.json', '--resume']).code).toBe(3)
  })

  it('killed at any step has removed a session whole or not at all, and the next call ends it', () => {
    const at = sessions()
    at.wait(...['One', 'Two', 'Three', 'Four'].map((task) => at.spawn(task)))
    const whole = readdirSync(at.folder('0')).length
    for (const call of ['renameSync', 'rmSync', 'mkdirSync', 'writeSync']) {
      const fault = faultEnv({ call, nth: 1, action: 'kill', match: call === 'mkdirSync' ? 'removed/' : '.scope' })
      at.scope(['gc', ...now], {}, fault)
      for (const id of listed(at)) {
        expect(readdirSync(at.folder(id)).length).toBeGreaterThanOrEqual(whole - 1)
        expect(at.poll(id).status).toBe('done')
      }
    }
    collected(at, ...now)
    expect([listed(at), at.inStore('removed'), at.inStore('sessions').filter(isId)]).toEqual([[], [], []])
    for (const id of ['0', '1', '2', '3']) expect(at.scope(['poll', id]).stderr).toContain('was removed')
    expect(at.spawn('Anew')).toBe('4')
  })
})
