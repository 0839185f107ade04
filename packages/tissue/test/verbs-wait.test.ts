import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { start, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { eventMaker, folderWith } from './log.ts'
import { json, tissue } from './tissue.ts'

const event = eventMaker(Date.now())

function created(issue: string): string {
  return event({ type: 'created', issue, title: issue, body: '', priority: 2, tags: [] })
}

function waiting(cwd: string, ...args: string[]) {
  return start('tissue', ['wait', ...args, '--timeout', '2m'], { cwd, env: { JWZ_AGENT: 'ada' } })
}

/** A moment for a wait to begin; a test that is quicker than that is weaker, and never wrong. */
function aMoment(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 400))
}

/** Until it watches the log, which Linux tells: a loaded machine takes longer than a moment to start it. */
async function begun(pid: number | undefined): Promise<void> {
  const open = `/proc/${pid}/fd`
  for (let tries = 0; tries < 600 && existsSync(open); tries++) {
    if (readdirSync(open).some((file) => targetOf(join(open, file)).includes('inotify'))) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await aMoment()
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    return 'closed meanwhile'
  }
}

describe('tissue wait', () => {
  it('ends when all issues are over, and prints them', async () => {
    const root = folderWith(created('app-aaa0'), created('app-bbb0'))
    const wait = waiting(root, 'aaa', 'app-bbb0', '-q')
    await aMoment()
    expect(tissue(root, ['close', 'aaa']).code).toBe(0)
    await aMoment()
    expect(wait.child.exitCode).toBeNull()
    expect(tissue(root, ['status', 'bbb', 'duplicate']).code).toBe(0)
    expect(await wait.done).toMatchObject({ code: 0, stdout: 'app-aaa0\napp-bbb0\n', stderr: '' })
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
    expect(await waiting(root, 'a', '--for', 'NOT held AND ready', '-q').done).toMatchObject({
      code: 0,
      stdout: 'app-aaa0\n',
    })
    expect(readFileSync(join(root, '.tissue', 'issues.jsonl'))).toEqual(before)
  })

  it('survives that the log is replaced, or away for a while', async () => {
    const root = folderWith(created('app-aaa0'))
    const log = join(root, '.tissue', 'issues.jsonl')
    const other = tempFolder('other')
    copyFileSync(log, join(other, 'issues.jsonl'))
    const wait = waiting(root, 'aaa', '--for', 'NOT parent:aaa AND status:closed', '-q')
    await begun(wait.child.pid)
    rmSync(join(root, '.tissue'), { recursive: true })
    await aMoment()
    expect(wait.child.exitCode).toBeNull()
    expect(tissue(other, ['close', 'aaa', '--store', other, '-q']).code).toBe(0)
    renameSync(other, join(root, '.tissue'))
    expect(await wait.done).toMatchObject({ code: 0, stdout: 'app-aaa0\n', stderr: '' })
  })

  it('is exit 124 when it is not so in time, and says what was waited for', () => {
    const root = folderWith(created('app-aaa0'), created('app-bbb0'))
    expect(tissue(root, ['wait', 'aaa', '--timeout', '100ms'])).toEqual({
      code: 124,
      stdout: '',
      stderr: 'tissue: waited 0.1 s for app-aaa0 to be over; wait longer with --timeout\n',
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
    const wait = waiting(root, 'aaa')
    await aMoment()
    const log = join(root, '.tissue', 'issues.jsonl')
    const first = JSON.parse(readFileSync(log, 'utf8')).id
    writeFileSync(log, `${event({ type: 'deleted', issue: 'app-aaa0', expect: first })}\n`, { flag: 'a' })
    expect(await wait.done).toMatchObject({
      code: 3,
      stderr: 'tissue: expected app-aaa0 to be there, it was deleted; see tissue history\n',
    })
  })

  it('is ended by a signal', async () => {
    const wait = waiting(folderWith(created('app-aaa0')), 'aaa')
    await aMoment()
    wait.child.kill('SIGINT')
    const { code, signal } = await wait.done
    expect(signal === 'SIGINT' || code === 130).toBe(true)
  })
})
