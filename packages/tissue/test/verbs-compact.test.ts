import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv, full, run, start, stopped, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { compaction } from '../src/schema/schemas.ts'
import { logOf, recordsIn } from './fixture.ts'
import { json, tissue } from './tissue.ts'

/** A store with an issue that was edited often, one that is held, and one that is closed. */
function worked(edits = 6) {
  const root = tempRepo()
  const issue = (...args: string[]) => tissue(root, args).stdout.trim()
  issue('init', '--prefix', 'app')
  const [edited = '', held = '', closed = ''] = ['Edited', 'Held', 'Closed'].map((title) => issue('new', title))
  for (let count = 1; count <= edits; count += 1) issue('edit', edited, '--title', `Edited ${count}`)
  for (const id of [held, closed]) issue('claim', id)
  issue('claim', held)
  issue('close', closed, '--reason', 'done')
  return { root, edited, held, closed }
}

function archiveOf(root: string): string {
  return join(root, '.tissue', 'archive')
}

/** All that can be seen of a store. */
function seen(root: string): unknown {
  return json(root, 'list', '--all').map(({ id }: { id: string }) => json(root, 'show', id))
}

describe('tissue compact', () => {
  it('takes out what nothing depends on, keeps the rest as it is, and the old log in the archive', () => {
    const { root } = worked()
    const [before, text] = [seen(root), readFileSync(logOf(root), 'utf8')]
    const { code, stdout, stderr } = tissue(root, ['compact'])
    expect([code, stderr]).toEqual([0, ''])
    const [archive = ''] = readdirSync(archiveOf(root))
    const lines = text.trimEnd().split('\n')
    expect(stdout).toMatch(/^16 lines \(\d+ bytes\) became 10 \(\d+ bytes\)\n\S+archive\/issues\.\w{26}\.jsonl\n$/)
    expect(stdout).toContain(join(archiveOf(root), archive))
    expect(readFileSync(join(archiveOf(root), archive), 'utf8')).toBe(text)
    const [first = '', ...kept] = readFileSync(logOf(root), 'utf8').trimEnd().split('\n')
    expect(JSON.parse(first)).toMatchObject({ type: 'compacted', seq: 17, archive, dropped: 7, bytes: text.length })
    expect(lines.filter((line) => kept.includes(line))).toEqual(kept)
    expect(seen(root)).toEqual(before)
    expect(tissue(root, ['doctor', '--log']).code).toBe(0)
  })

  it('only says so by --dry-run, and does nothing where it would save nothing', () => {
    const { root } = worked()
    const text = readFileSync(logOf(root), 'utf8')
    const planned = compaction.parse(json(root, 'compact', '--dry-run'))
    expect(planned).toMatchObject({ lines: 16, lines_after: 10, bytes: text.length, archive: null, dry_run: true })
    expect([readFileSync(logOf(root), 'utf8'), existsSync(archiveOf(root))]).toEqual([text, false])
    const done = compaction.parse(json(root, 'compact'))
    expect(done).toMatchObject({ lines_after: 10, bytes_after: planned.bytes_after, dry_run: false })
    expect(readFileSync(logOf(root)).length).toBe(done.bytes_after)
    const again = json(root, 'compact')
    expect(again).toMatchObject({ lines: 10, lines_after: 10, archive: null })
    expect(tissue(root, ['compact']).stdout).toBe(`nothing to take out of 10 lines (${done.bytes_after} bytes)\n`)
    expect(tissue(root, ['compact', '--quiet']).stdout).toBe(`${done.path}\n`)
    expect(readdirSync(archiveOf(root))).toHaveLength(1)
  })

  it('makes no store where there is none', () => {
    const root = tempRepo()
    expect(tissue(root, ['compact'])).toEqual({
      code: 0,
      stdout: 'nothing to take out of 0 lines (0 bytes)\n',
      stderr: '',
    })
    expect(existsSync(join(root, '.tissue'))).toBe(false)
  })

  it('refuses a corrupt log with 7 and leaves it alone', () => {
    const { root } = worked()
    appendFileSync(logOf(root), '<<<<<<< ours\n')
    const text = readFileSync(logOf(root), 'utf8')
    const { code, stderr } = tissue(root, ['compact'])
    expect([code, readFileSync(logOf(root), 'utf8')]).toEqual([7, text])
    expect(stderr).toMatch(/expected a sound log, \S+issues\.jsonl:17 is not: /)
  })

  it('keeps a claim, its fence, what is no event, and half a batch', () => {
    const { root, edited, held } = worked()
    appendFileSync(
      logOf(root),
      `{"v":1,"id":"n","seq":20,"at":0,"by":"x","type":"tagged","issue":"${edited}"}\n{"not":"ours"}\n`,
    )
    const { claim } = json(root, 'show', held)
    tissue(root, ['compact'])
    expect(recordsIn(root).filter(({ id, not }) => id === 'n' || not !== undefined)).toHaveLength(2)
    expect(json(root, 'show', held).claim).toEqual(claim)
    expect(run('tissue', ['claim', held], { cwd: root, env: { JWZ_AGENT: 'bob' } }).code).toBe(5)
    expect(tissue(root, ['close', held, '--fence', claim.id]).code).toBe(0)
  })

  it('leaves the old log or the new one, whenever it is killed, and the next one tidies up', () => {
    const { root } = worked(2)
    const trace = join(root, 'trace')
    const dry = faultEnv({ call: '*', nth: 1_000_000, action: 'kill', trace })
    run('tissue', ['compact'], { cwd: root, env: { ...dry, JWZ_AGENT: 'ada' } })
    const steps = readFileSync(trace, 'utf8').trimEnd().split('\n').length
    for (let nth = 1; nth <= steps; nth += full ? 1 : 43) {
      const { root, edited } = worked(2)
      const before = seen(root)
      const env = { ...faultEnv({ call: '*', nth, action: 'kill' }), JWZ_AGENT: 'ada' }
      expect(run('tissue', ['compact'], { cwd: root, env }).signal, `step ${nth}`).toBe('SIGKILL')
      expect(seen(root), `step ${nth}`).toEqual(before)
      expect(tissue(root, ['edit', edited, '--title', 'After it']).code).toBe(0)
      expect(tissue(root, ['compact']).code).toBe(0)
      expect(json(root, 'show', edited).title).toBe('After it')
      expect(readdirSync(archiveOf(root)).filter((name) => name.endsWith('.draft'))).toEqual([])
    }
  })

  it('takes over what another program appended to the old log meanwhile', () => {
    const { root, edited } = worked()
    for (const _ of [1, 2]) {
      tissue(root, ['edit', edited, '--title', 'Once more'])
      tissue(root, ['edit', edited, '--title', 'And again'])
      tissue(root, ['compact'])
    }
    const archives = readdirSync(archiveOf(root)).sort()
    expect(archives).toHaveLength(2)
    archives.forEach((archive, at) => {
      const late = { v: 1, id: `late${at}`, seq: 99 + at, at: 0, by: 'echo', type: 'commented', issue: edited }
      appendFileSync(join(archiveOf(root), archive), `${JSON.stringify({ ...late, body: 'By hand.' })}\n`)
    })
    for (const _ of [1, 2]) expect(tissue(root, ['compact']).code).toBe(0)
    expect(json(root, 'show', edited).comments).toMatchObject([{ id: 'late0' }, { id: 'late1' }])
    expect(recordsIn(root).filter(({ id }) => String(id).startsWith('late'))).toHaveLength(2)
  })

  it('leaves alone a log that another has put in place meanwhile, its lock notwithstanding', async () => {
    const { root, edited } = worked()
    const rule = { call: '*', nth: 1, action: 'stop', match: '.draft' } as const
    const slow = start('tissue', ['compact'], { cwd: root, env: { ...faultEnv(rule), JWZ_AGENT: 'ada' }, input: '' })
    await stopped(slow.child.pid)
    for (const name of ['issues.jsonl.lock', 'issues.jsonl.lock.owner'])
      rmSync(join(root, '.tissue', name), { recursive: true, force: true })
    expect(tissue(root, ['compact']).code).toBe(0)
    tissue(root, ['edit', edited, '--title', 'After it'])
    slow.child.kill('SIGCONT')
    expect(await slow.done).toMatchObject({ code: 5, stdout: '' })
    expect(json(root, 'show', edited).title).toBe('After it')
    expect(json(root, 'history', edited).at(-1).event.title).toBe('After it')
  })

  it('takes over at once what was appended to the old log just before the new one took its place', async () => {
    const { root, edited } = worked()
    const env = { ...faultEnv({ call: 'renameSync', nth: 1, action: 'stop', match: 'issues' }), JWZ_AGENT: 'ada' }
    const { child, done } = start('tissue', ['compact'], { cwd: root, env, input: '' })
    await stopped(child.pid)
    const late = { v: 1, id: 'late', seq: 99, at: 0, by: 'echo', type: 'commented', issue: edited, body: 'By hand.' }
    appendFileSync(logOf(root), `${JSON.stringify(late)}\n`)
    child.kill('SIGCONT')
    expect(await done).toMatchObject({ code: 0, stderr: '' })
    expect(recordsIn(root).filter(({ id }) => id === 'late')).toHaveLength(1)
  })
})
