// What a map leaves when it is interrupted or killed, and how the next one goes on from there.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive, readProcess } from '@switchyard/exec'
import { faultEnv, runAlone, scaled, script, start } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { openScan } from '../src/store/open-scan.ts'
import { readFindings } from '../src/store/read-records.ts'
import { type MapPlace, mapPlace } from './map-place.ts'

const flags = ['--backoff', '1ms', '--jobs', '3']

/** A place whose agent is a line of shell with an answer for each chunk: it costs nothing to call it often. */
function quickPlace(files: number) {
  const at = mapPlace(files)
  for (const { id, spans } of at.lines('chunks.jsonl')) {
    const path = JSON.stringify(spans).match(/"path":"([^"]+)"/)?.[1]
    const finding = { title: `Bad in ${path}`, path, line: 2, quote: 'return x' }
    writeFileSync(
      join(at.programs, `${id}.json`),
      JSON.stringify({ chunk: id, status: 'completed', findings: [finding] }),
    )
  }
  script(
    join(at.programs, 'quick'),
    `#!/bin/sh\ncat >/dev/null\necho $DEEPSCAN_CHUNK >>'${at.programs}/asked'\ncat '${at.programs}/'$DEEPSCAN_CHUNK.json\n`,
  )
  return at
}

/** As if nobody had been asked yet. */
function forget(at: MapPlace): void {
  for (const name of ['results.jsonl', 'findings.jsonl', 'events.jsonl']) writeFileSync(join(at.folder, name), '')
  for (const name of [join(at.folder, 'agents'), join(at.home, 'cache', 'answers'), join(at.programs, 'asked')]) {
    rmSync(name, { recursive: true, force: true })
  }
}

const counted = (at: MapPlace) =>
  [...readFindings(openScan(at.env, at.root, undefined))].map(({ title }) => title).sort()
const resultChunks = (at: MapPlace) => at.lines('results.jsonl').map(({ chunk }) => chunk)

describe('a map that is killed between any two steps', () => {
  it('loses no finished chunk, asks about none again, and comes to what an undisturbed one comes to', () => {
    const at = quickPlace(5)
    const map = (env: Record<string, string> = {}) =>
      runAlone('deepscan', ['map', '--with', 'quick', ...flags], { cwd: at.root, env: { ...at.env, ...env } })
    const trace = join(at.programs, 'trace')
    expect(map(faultEnv({ call: '*', nth: 1e9, action: 'kill', match: at.home, trace })).code).toBe(0)
    const steps = readFileSync(trace, 'utf8').split('\n').length - 1
    const undisturbed = counted(at)
    expect(undisturbed).toHaveLength(5)
    expect(steps).toBeGreaterThan(60)
    const count = scaled(1000, 125)
    for (let turn = 0; turn < count; turn++) {
      forget(at)
      const nth = 1 + Math.floor(((turn + 0.5) / count) * steps)
      expect(map(faultEnv({ call: '*', nth, action: 'kill', match: at.home })).signal, `step ${nth}`).toBe('SIGKILL')
      const finished = at.lines('results.jsonl').map(({ chunk }) => chunk)
      const askedBefore = readLines(join(at.programs, 'asked')).length
      expect(map()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^5 of 5 chunks analysed, 5 findings/) })
      expect(counted(at), `step ${nth}`).toEqual(undisturbed)
      expect(new Set(resultChunks(at)).size, `step ${nth}`).toBe(5)
      expect(resultChunks(at), `step ${nth}`).toHaveLength(5)
      const again = readLines(join(at.programs, 'asked')).slice(askedBefore)
      expect(
        again.filter((chunk) => finished.includes(chunk)),
        `step ${nth}`,
      ).toEqual([])
    }
  })

  it('leaves agents at work, which the next one ends before it asks anybody', async () => {
    const at = mapPlace(2)
    at.agent('still', "setInterval(() => {}, 1000); console.error('hangs')")
    const killed = start('deepscan', ['map', '--with', 'still', ...flags], { cwd: at.root, env: at.env })
    await until(() => at.calls().length === 2)
    killed.child.kill('SIGKILL')
    await killed.done
    const left = at.calls().map(({ pid }) => readProcess(Number(pid)))
    expect(left.every((process) => process !== undefined && isAlive(process))).toBe(true)
    at.agent('still', 'say(evals())')
    expect(at.map('still')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^2 of 2/) })
    expect(left.some((process) => process !== undefined && isAlive(process))).toBe(false)
  })
})

describe('a map that is interrupted', () => {
  it('finishes what it is at, is 130 and goes on from there; a second interrupt ends its agents', async () => {
    const at = mapPlace(4)
    const gate = join(at.programs, 'gate')
    at.agent(
      'slow',
      `const wait = () => (existsSync(${JSON.stringify(gate)}) ? say(evals()) : setTimeout(wait, 20)); wait()`,
    )
    const begin = () => start('deepscan', ['map', '--with', 'slow', '--jobs', '2'], { cwd: at.root, env: at.env })
    const drained = begin()
    await until(() => at.calls().length === 2)
    const second = at.deepscan('map', '--with', 'slow')
    expect(second).toMatchObject({ code: 6, stdout: '' })
    drained.child.kill('SIGINT')
    await drained.waitFor(/interrupt again to stop at once/)
    writeFileSync(gate, '')
    const done = await drained.done
    expect(done).toMatchObject({ code: 130, stdout: expect.stringMatching(/^2 of 4 chunks analysed/) })
    expect(done.stderr).toMatch(
      /deepscan: stopped; 2 of 4 chunks are done and kept; go on with deepscan map \[DS-505\]\n$/,
    )
    expect(at.events('cancel')).toMatchObject([{ level: 'drain' }])

    rmSync(gate)
    const stopped = begin()
    await until(() => at.calls().length === 4)
    stopped.child.kill('SIGINT')
    await stopped.waitFor(/interrupt again to stop at once/)
    stopped.child.kill('SIGINT')
    expect(await stopped.done).toMatchObject({ code: 130, stdout: expect.stringMatching(/^2 of 4 chunks analysed/) })
    const agents = at.calls().map(({ pid }) => readProcess(Number(pid)))
    expect(agents.filter((process) => process !== undefined && isAlive(process))).toEqual([])
    writeFileSync(gate, '')
    const asked = at.calls().length
    expect(at.map('slow')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^4 of 4 chunks/) })
    expect(at.calls()).toHaveLength(asked + 2)
  })
})

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean)
  } catch {
    return []
  }
}

/** Waits for what another process does. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resume) => setTimeout(resume, 20))
}
