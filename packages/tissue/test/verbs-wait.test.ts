import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { start, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { eventMaker, folderWith } from './log.ts'
import { json, tissue } from './tissue.ts'

const event = eventMaker(Date.now())

function created(issue: string): string {
  return event({ type: 'created', issue, title: issue, body: '', priority: 2, tags: [] })
}

/** A wait that has said so: what comes from now on it does not miss. */
async function waiting(cwd: string, ...args: string[]) {
  const started = start('tissue', ['wait', ...args, '--timeout', '1h'], { cwd, env: { JWZ_AGENT: 'ada' } })
  await started.waitFor(/^waiting for app-/)
  return started
}

describe('tissue wait', () => {
  it('ends when all issues are over, and prints them', async () => {
    const root = folderWith(created('app-aaa0'), created('app-bbb0'))
    const wait = await waiting(root, 'aaa', 'app-bbb0', '--json')
    expect(tissue(root, ['close', 'aaa']).code).toBe(0)
    expect(tissue(root, ['status', 'bbb', 'duplicate']).code).toBe(0)
    const { code, stdout, stderr } = await wait.done
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'waiting for app-aaa0 and 1 more to be over\n' })
    expect(JSON.parse(stdout).map(({ status }: { status: string }) => status)).toEqual(['closed', 'duplicate'])
  })

  it('ends at once when there is nothing to wait for', () => {
    const root = folderWith(created('app-aaa0'))
    expect(tissue(root, ['wait', 'a', '--status', 'open', '--status', 'paused']).stdout).toBe(
      'app-aaa0  P2  open  app-aaa0\n',
    )
    expect(json(root, 'wait', 'a', '--for', 'ready').id).toBe('app-aaa0')
    const twice = json(root, 'wait', 'a', 'app-aaa0', '--for', 'assignee:none OR assignee:me')
    expect(twice.map(({ id }: { id: string }) => id)).toEqual(['app-aaa0'])
  })

  it('waits for whatever a query says, also for a lease that runs out', async () => {
    const root = folderWith(created('app-aaa0'))
    expect(tissue(root, ['claim', 'a', '--ttl', '2s', '-q']).code).toBe(0)
    const before = readFileSync(join(root, '.tissue', 'issues.jsonl'))
    expect(tissue(root, ['wait', 'a', '--for', 'NOT held AND ready', '-q', '--timeout', '1h'])).toEqual({
      code: 0,
      stdout: 'app-aaa0\n',
      stderr: '',
    })
    expect(readFileSync(join(root, '.tissue', 'issues.jsonl'))).toEqual(before)
  })

  it('survives that the log is replaced, or away for a while', async () => {
    const root = folderWith(created('app-aaa0'))
    const log = join(root, '.tissue', 'issues.jsonl')
    const other = tempFolder('other')
    copyFileSync(log, join(other, 'issues.jsonl'))
    const wait = await waiting(root, 'aaa', '--for', 'NOT parent:aaa AND status:closed', '--jsonl')
    rmSync(join(root, '.tissue'), { recursive: true })
    expect(tissue(other, ['close', 'aaa', '--store', other, '-q']).code).toBe(0)
    renameSync(other, join(root, '.tissue'))
    const { code, stdout } = await wait.done
    expect([code, JSON.parse(stdout).status]).toEqual([0, 'closed'])
  })

  it('is exit 124 when it is not so in time, and says what was waited for', () => {
    const root = folderWith(created('app-aaa0'), created('app-bbb0'))
    expect(tissue(root, ['wait', 'aaa', '--timeout', '100ms'])).toEqual({
      code: 124,
      stdout: '',
      stderr:
        'waiting for app-aaa0 to be over\ntissue: waited 0.1 s for app-aaa0 to be over; wait longer with --timeout\n',
    })
    const { code, stderr } = tissue(root, ['wait', 'a', 'b', '--for', 'held', '--timeout', '0s', '--json'])
    expect({ code, error: JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error }).toMatchObject({
      code: 124,
      error: { code: 'wait-timeout', message: 'waited 0 s for app-aaa0 and 1 more to be held', retryable: true },
    })
  })

  it('is exit 3 for what is not there or is deleted meanwhile, 2 for what cannot be read', async () => {
    const root = folderWith(created('app-aaa0'))
    expect(tissue(root, ['wait', 'zzz']).code).toBe(3)
    expect(tissue(tempFolder(), ['wait', 'aaa']).code).toBe(3)
    expect(tissue(root, ['wait', 'aaa', '--for', 'redy']).stderr).toContain('did you mean ready?')
    expect(tissue(root, ['wait', 'aaa', '--status', 'done']).code).toBe(2)
    expect(tissue(root, ['wait', 'aaa', '--status', 'open', '--for', 'ready']).code).toBe(2)
    expect(tissue(root, ['wait']).code).toBe(2)
    const wait = await waiting(root, 'aaa')
    const log = join(root, '.tissue', 'issues.jsonl')
    const first = JSON.parse(readFileSync(log, 'utf8')).id
    writeFileSync(log, `${event({ type: 'deleted', issue: 'app-aaa0', expect: first })}\n`, { flag: 'a' })
    expect(await wait.done).toMatchObject({
      code: 3,
      stderr:
        'waiting for app-aaa0 to be over\ntissue: expected app-aaa0 to be there, it was deleted; see tissue history\n',
    })
  })

  it('is ended by a signal', async () => {
    const wait = await waiting(folderWith(created('app-aaa0')), 'aaa')
    wait.child.kill('SIGINT')
    expect(await wait.done).toMatchObject({ code: 130, stdout: '' })
  })
})
