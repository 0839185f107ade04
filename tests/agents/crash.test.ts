import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { git } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { agentPlace } from './agent-place.ts'

const newIssue = ['new', 'Greeting is misspelt', '--quiet']
const verify = 'grep -q hello greeting.txt && test -f rest.txt'
const work = "sed -i 's/helo/hello/' greeting.txt && git commit -qam Repair && touch left.txt && sleep 100"
const args = ['run', '--issues', '--with', 'claude', '--verify', verify, '--json']

/** Whether the agent has left something in the worktree of an issue. */
function worked(repo: string): boolean {
  const folder = join(repo, '.worktrees/loop')
  return existsSync(folder) && readdirSync(folder).some((name) => existsSync(join(folder, name, 'left.txt')))
}

describe('loop run', () => {
  it('goes on after kill -9 from what Claude Code had committed and left', async () => {
    const place = await agentPlace(
      [
        { when: { user: /go on from it/ }, calls: [{ name: 'Bash', input: { command: 'echo rest > rest.txt' } }] },
        {
          when: { user: /Greeting is misspelt/ },
          calls: [
            {
              name: 'Bash',
              input: { command: work },
            },
          ],
        },
        { when: { result: /./ }, text: 'Done.' },
        { text: 'Done.' },
      ],
      { 'greeting.txt': 'helo world\n' },
    )
    const id = (await place.run('tissue', newIssue)).stdout.trim()
    const killed = spawn('loop', args, { cwd: place.repo, env: place.env, stdio: 'ignore' })
    for (let tries = 0; !worked(place.repo); tries++) {
      if (tries > 3000) throw new Error('the agent did not come to work within a minute')
      await sleep(20)
    }
    killed.kill('SIGKILL')
    const next = await place.run('loop', args)
    expect([next.code, next.stderr]).toMatchObject([0, expect.stringContaining('goes on from what a dead run left')])
    expect(JSON.parse(next.stdout)).toMatchObject([{ issue: id, outcome: 'landed', iterations: 1 }])
    expect(readFileSync(join(place.repo, 'greeting.txt'), 'utf8')).toBe('hello world\n')
    expect(['left.txt', 'rest.txt'].map((name) => existsSync(join(place.repo, name)))).toEqual([true, true])
    const named = git(place.repo, 'log', '-2', '--format=%s %(trailers:key=Issue,valueonly,separator=%x2C)')
    expect(named.split('\n')).toEqual([`Greeting is misspelt ${id}`, `Repair ${id}`])
    const { comments } = JSON.parse((await place.run('tissue', ['show', id, '--json'])).stdout)
    expect(comments[0].body).toContain('This run goes on from it.')
  })

  it('ends with 8 without a client, and leaves the issue as it was', async () => {
    const place = await agentPlace([])
    const id = (await place.run('tissue', newIssue)).stdout.trim()
    const folders = (place.env['PATH'] ?? '').split(delimiter)
    place.env['PATH'] = folders.filter((folder) => !existsSync(join(folder, 'claude'))).join(delimiter)
    const ran = await place.run('loop', args)
    expect([ran.code, ran.stdout]).toEqual([8, ''])
    expect(ran.stderr).toContain('cannot run claude: no such program; install claude or put it on PATH')
    const issue = JSON.parse((await place.run('tissue', ['show', id, '--json'])).stdout)
    expect(issue).toMatchObject({ status: 'open', claim: null, comments: [] })
  })

  it('guards what Claude Code does without an install', async () => {
    const place = await agentPlace([
      { when: { user: /Push it/ }, calls: [{ name: 'Bash', input: { command: 'git push --force origin main' } }] },
      { when: { result: /./ }, text: '<loop-done>stuck: no push</loop-done>' },
      { text: 'Done.' },
    ])
    const ran = await place.run('loop', ['run', 'Push it', '--with', 'claude', '--max', '1'])
    expect([ran.code, ran.stdout]).toEqual([9, expect.stringContaining('stuck: no push')])
    expect(JSON.stringify(place.model.requests)).toMatch(/git\.force-push/)
  })
})
