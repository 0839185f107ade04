import { appendFileSync, cpSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, start, tempFolder, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { past } from '../src/schema/schemas.ts'
import { logOf, repoWithIssues } from './fixture.ts'
import { json, tissue } from './tissue.ts'

type Shown = { event: { id: string; type: string }; verdict: string; lost?: Record<string, string>; archived?: boolean }

function historyOf(root: string, ...args: string[]): Shown[] {
  const listed = json(root, 'history', ...args)
  for (const one of listed) past.parse(one)
  return listed
}

describe('tissue history', () => {
  it('tells all that happened as sentences, oldest first, with what was void', () => {
    const root = repoWithIssues()
    const { code, stdout } = tissue(root, ['history'])
    const lines = stdout.trimEnd().split('\n')
    expect([code, lines.length]).toEqual([0, 24])
    expect(lines[1]).toBe('2024-11-19T07:06:40.000Z  auth-k3vd  ada  created: Fix login')
    expect(lines[5]).toMatch(/ {2}auth-k3vd {2}bob {2}claimed until \S+ {2}\(void: another was first\)$/)
    expect(stdout).toContain('  auth-k3vd  ada  commented: The token is read twice.\n')
    expect(stdout).toMatch(
      /auth-x9qa {2}ada {2}edited assignee bob, due 2024-11-30T20:53:20.000Z, area=docs, \+gh-12\n/,
    )
    expect(
      historyOf(root)
        .map(({ verdict }) => verdict)
        .filter((verdict) => verdict !== 'applied'),
    ).toEqual(['void', 'void'])
  })

  it('is of one issue when asked, also of its links and after its deletion', () => {
    const root = repoWithIssues()
    const types = historyOf(root, 'm5t0').map(({ event }) => event.type)
    expect(types).toEqual(['created', 'linked', 'unlinked', 'status', 'closed'])
    expect(historyOf(root, 'auth-b7rd2m5w0qe4').at(-4)?.event.type).toBe('deleted')
    expect(tissue(root, ['history', 'nobody']).code).toBe(3)
  })

  it('begins after an event or a time, keeps to the limit, and prints ids with --quiet', () => {
    const root = repoWithIssues()
    const ids = historyOf(root).map(({ event }) => event.id)
    const rev = json(root, 'show', 'm5t0').rev
    expect(historyOf(root, '--since', rev).map(({ event }) => event.id)).toEqual(ids.slice(ids.indexOf(rev) + 1))
    expect(historyOf(root, '--since', '2025-01-01')).toEqual([])
    expect(tissue(root, ['history', '--since', '2025-01-01'])).toMatchObject({ code: 0, stderr: 'nothing happened\n' })
    expect(tissue(root, ['history', '--since', '01JD5K00000000000000000000']).code).toBe(3)
    expect(tissue(root, ['history', '--since', 'yesterday']).code).toBe(2)
    const few = tissue(root, ['history', '--limit', '2', '--quiet'])
    expect(few).toEqual({ code: 0, stdout: `${ids.slice(-2).join('\n')}\n`, stderr: '' })
    expect(tissue(root, ['history', '-n', '1']).stderr).toBe(`1 of ${ids.length - 1} shown; --limit shows more\n`)
    expect(tissue(root, ['history', '--full', 'm5t0']).stdout).toContain('\n    Parse it instead.\n')
  })

  it('marks a write that lost to another clone, also after somebody settled it', () => {
    const [mine, theirs] = [tempFolder('mine'), tempFolder('theirs')]
    const id = tissue(mine, ['new', 'Fix login']).stdout.trim()
    cpSync(join(mine, '.tissue'), join(theirs, '.tissue'), { recursive: true })
    tissue(mine, ['edit', id, '--title', 'Mine'])
    tissue(theirs, ['edit', id, '--title', 'Theirs'])
    tissue(mine, ['import', '-'], tissue(theirs, ['export']).stdout)
    const [loser] = historyOf(mine, id).filter(({ lost }) => lost)
    const winner = historyOf(mine, id).find(({ event }) => event.id === loser?.lost?.['title'])
    expect([loser?.event.type, winner?.event.type]).toEqual(['edited', 'edited'])
    tissue(mine, ['edit', id, '--title', 'Settled'])
    expect(historyOf(mine, id).filter(({ lost }) => lost)).toEqual([loser])
    expect(tissue(mine, ['history', id]).stdout).toContain(`(title lost to ${winner?.event.id})\n`)
  })

  it('goes back to before a compaction', () => {
    const root = tempRepo()
    const id = tissue(root, ['new', 'One']).stdout.trim()
    for (const title of ['Two', 'Three', 'Four', 'Five']) tissue(root, ['edit', id, '--title', title])
    const before = historyOf(root, id)
    tissue(root, ['compact'])
    const after = historyOf(root, id)
    expect(after.map(({ event }) => event)).toEqual(before.map(({ event }) => event))
    expect(after.map(({ archived = false }) => archived)).toEqual([false, true, true, true, false])
  })

  it('follows what comes, also when another file takes the place of the log', async () => {
    const root = tempRepo()
    const id = tissue(root, ['new', 'One']).stdout.trim()
    const follower = start('tissue', ['history', '--follow', '--limit', '1', '--jsonl'], { cwd: root })
    const seen = async (word: RegExp) => {
      await follower.waitFor(word)
      return follower
        .stdout()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).event.type)
    }
    expect(await seen(/created.*\n/)).toEqual(['created'])
    run('tissue', ['comment', id, '-m', 'x'], { cwd: root })
    expect(await seen(/commented.*\n/)).toEqual(['created', 'commented'])
    const other = join(root, 'other')
    writeFileSync(other, readFileSync(logOf(root)))
    appendFileSync(other, `{"v":1,"id":"n","seq":9,"at":0,"by":"git","type":"closed","issue":"${id}"}\n`)
    renameSync(other, logOf(root))
    expect(await seen(/closed.*\n/)).toEqual(['created', 'commented', 'closed'])
    follower.child.kill('SIGTERM')
    expect((await follower.done).code).toBe(143)
  })
})
