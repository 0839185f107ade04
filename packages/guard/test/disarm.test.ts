import { tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { judgeCommand } from '../src/judge-command.ts'
import { readScene } from '../src/scene/scene.ts'
import { worldOf } from './world.ts'

const world = worldOf({ HOME: '/home/ada', GIT_CONFIG_GLOBAL: '/dev/null' })
const scene = readScene(tempRepo({ 'a.txt': 'one\n' }), world)
const asWorker = { ...scene, world: { ...world, env: { ...world.env, LOOP_RUN_ID: 'r-1' } } }

describe('what takes away what holds an agent', () => {
  it.each([
    'loop uninstall claude',
    'loop land x --no-verify',
    'loop review post lgtm --by bob',
    'loop worktree remove x --force',
    'npm uninstall -g @switchyard/loop',
    'LOOP_DISABLE=1 claude -p x',
    'export LOOP_DISABLE=1',
    'loop cancel',
    'loop cancel --all',
  ])('is asked about in a session, and denied to a worker: %s', (command) => {
    const [told, worker] = [scene, asWorker].map((where) => judgeCommand(command, where).verdict)
    expect([told?.decision, worker?.decision]).toEqual(['ask', 'deny'])
    expect(told?.rule).toMatch(/^loop\./)
  })

  it.each([
    'loop status',
    'loop land x',
    'loop review status',
    'loop worktree remove x',
    'tissue close x',
    'loop pause',
  ])('is not %s', (command) => expect(judgeCommand(command, scene).verdict.decision).toBe('allow'))
})
