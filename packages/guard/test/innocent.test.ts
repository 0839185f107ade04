import { readFileSync } from 'node:fs'
import { tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { judgeCommand } from '../src/judge-command.ts'
import { readScene } from '../src/scene/scene.ts'
import { worldOf } from './world.ts'

/**
 * Commands of projects (scripts of packages, CI, Dockerfiles), of git's documentation, and as agents type them. `meant`:
 * a rule of the table speaks of just this, as of `git reset --hard`, so that stopping it is no false alarm.
 */
type Sample = { command: string; kind: 'project' | 'documentation' | 'agent'; source: string; meant?: true }

const samples: Sample[] = readFileSync(new URL('./fixtures/innocent-commands.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line))

const root = tempRepo({ 'a.txt': 'one\n', 'src/a.ts': '\n' })
const scene = readScene(root, worldOf({ HOME: '/home/ada', GIT_CONFIG_GLOBAL: '/dev/null' }))
const stops = samples.filter(({ command }) => /deny|ask/.test(judgeCommand(command, scene).verdict.decision))

describe('innocent commands', () => {
  it('are at least 2,000, of three kinds', () => {
    expect(samples.length).toBeGreaterThanOrEqual(2000)
    expect(new Set(samples.map(({ kind }) => kind)).size).toBe(3)
    expect(new Set(samples.map(({ command }) => command)).size).toBe(samples.length)
  })

  it('are let go, but for fewer than one in a hundred', () => {
    const alarms = stops.filter(({ meant }) => meant !== true).map(({ command }) => command)
    process.stdout.write(`false alarms, ${alarms.length} of ${samples.length}:\n${alarms.join('\n')}\n`)
    expect(alarms.length / samples.length).toBeLessThan(0.01)
  })

  it('that agents type raise none', () => {
    expect(stops.filter(({ kind }) => kind === 'agent').map(({ command }) => command)).toEqual([])
  })

  it('are stopped where a rule means them', () => {
    const stopped = new Set(stops.map(({ command }) => command))
    expect(samples.filter(({ meant, command }) => meant === true && !stopped.has(command))).toEqual([])
  })
})
