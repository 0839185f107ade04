import { join } from 'node:path'
import { git, tempFolder, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { judgeCommand } from '../src/judge-command.ts'
import { readScene, type Scene } from '../src/scene/scene.ts'
import { worldOf } from './world.ts'

const root = tempRepo({ 'a.txt': 'one\n', 'src/b.txt': 'two\n' })
git(root, 'branch', '-M', 'main')
const env = { HOME: tempFolder('home'), GIT_CONFIG_GLOBAL: '/dev/null' }
const world = { ...worldOf(env), clock: () => 0 }
const main = readScene(root, world)
const issue: Scene = { ...main, worktree: join(root, 'src') }

describe('a call that cannot be judged', () => {
  const broken = () => {
    throw new TypeError('s.includes is not a function')
  }
  const where = (scene: Scene): Scene => ({
    ...scene,
    world: { ...scene.world, realPath: broken, repositoryAt: broken },
  })

  it('is asked about, and denied where nobody can be asked', () => {
    const dangerous = 'git push --force origin main; rm -rf build'
    const at = (scene: Scene, agent?: string) => judgeCommand(dangerous, where(scene), agent).verdict
    const child = { ...main, world: { ...main.world, env: { ...env, LOOP_RUN_ID: 'r' } } }
    expect(at(main)).toMatchObject({ decision: 'ask', rule: 'guard.unjudged', at: expect.stringContaining('a bug') })
    expect([at(issue), at(main, 'reviewer'), at(child)].map(({ decision }) => decision)).toEqual([
      'deny',
      'deny',
      'deny',
    ])
  })

  it('lets an agent that may only read look, and mend nothing', () => {
    const decided = (text: string) => judgeCommand(text, main, 'reviewer').verdict.decision
    expect(['loop doctor', 'loop doctor --json', 'loop doctor -q | head'].map(decided)).toEqual([
      'allow',
      'allow',
      'allow',
    ])
    const mends = [
      ...['--fix', '--json --fix', '"--fix"', "--as 'a\nb' --fix", '$(cat flags)', '$flags'].map(
        (args) => `loop doctor ${args}`,
      ),
      ...['f=--fix; loop doctor $f', 'loop recover', 'loop recover --dry-run'],
    ]
    expect(mends.filter((text) => decided(text) !== 'deny')).toEqual([])
  })

  it.each([
    ['substitutions', '$(', ')', 60_000],
    ['quoted substitutions', '"$(', ')"', 60_000],
    ['process substitutions', '<(', ')', 60_000],
    ['arithmetic', '$((', '))', 60_000],
    ['substitutions without an end', '$(', '', 60_000],
    ['here-documents without an end', 'cat <<E; ', '', 40_000],
    ['folders in folders', 'cd a; ', '', 60_000],
  ])('takes more steps than there are, before the parser begins: %s', (_, open, close, times) => {
    const text = `${open.repeat(times)}rm -rf x${close.repeat(times)}`
    expect(judgeCommand(text, main).verdict).toMatchObject({ decision: 'ask', rule: 'guard.unjudged' })
  })
})
