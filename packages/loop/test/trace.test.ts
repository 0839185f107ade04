import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { ok, place } from './place.ts'
import { answered, sessionAt } from './session-place.ts'

/** A run with five decisions. */
function recorded() {
  const here = place()
  const { loop, stop } = sessionAt(here, 's-1')
  const id = ok(loop('start', 'x', '--check', 'test -f b.txt', '--quiet')).stdout.trim()
  answered(stop(''))
  answered(stop('<loop-done>done</loop-done>'))
  writeFileSync(join(here.root, 'b.txt'), '')
  expect(answered(stop('<loop-done>done</loop-done>')).warning).toContain('complete')
  return { ...here, id }
}

describe('loop trace', () => {
  it('prints the events of a run, their ids, or a graph', () => {
    const { loop, id } = recorded()
    expect(ok(loop('trace', id.slice(0, 12))).stdout).toMatch(/^\d{4}-\S+Z {2}started .*: x\n/)
    const records: { id: string; data: { event: string } }[] = JSON.parse(ok(loop('trace', id, '--json')).stdout)
    expect(records.filter(({ data }) => data.event === 'decided')).toHaveLength(5)
    expect(
      ok(loop('trace', id, '--quiet'))
        .stdout.trim()
        .split('\n'),
    ).toEqual(records.map((record) => record.id))
    const dot = ok(loop('trace', id, '--dot')).stdout
    expect(dot).toMatch(/^digraph ".*" \{\n[\s\S]*w0_0 -> w0_1 \[label="quiet"\][\s\S]*label="complete"\][\s\S]*\}\n$/)
  })

  it('decides all of it again, and names the first decision that comes out otherwise', () => {
    const { loop, root, id } = recorded()
    expect(JSON.parse(ok(loop('trace', id, '--replay', '--json')).stdout)).toMatchObject({ decisions: 5, agrees: true })
    const folder = join(root, '.jwz/topics/loop/run')
    const path = join(folder, readdirSync(folder)[0] ?? '')
    writeFileSync(path, readFileSync(path, 'utf8').replace('"passed":false', '"passed":true'))
    const again = loop('trace', id, '--replay', '--json')
    expect(again.code).toBe(1)
    expect(JSON.parse(again.stdout)).toMatchObject({
      decisions: 2,
      agrees: false,
      disagreement: { issue: 'task', recorded: { do: 'run' }, folded: { do: 'end', outcome: 'complete' } },
    })
    expect(loop('trace', id, '--replay').stdout).toContain('after 2 decisions')
  })

  it('agrees with a run of a runner', () => {
    const here = place()
    here.issue('x')
    here.loop('run', '--issues', '--with', 'echo y > y', '--verify', 'true')
    const runId = JSON.parse(here.loop('status', '--json').stdout).run
    expect(run('loop', ['trace', runId, '--replay', '--json'], { cwd: here.root }).stdout).toContain('"agrees":true')
  })

  it.each([
    [['zzz'], 3],
    [['01', '--dot', '--replay'], 2],
    [[], 2],
  ])('%j exits %i', (args, code) => {
    expect(place().loop('trace', ...args)).toMatchObject({ code, stdout: '' })
  })
})
