import { mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { git, tempFolder, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { readScene } from '../src/scene/scene.ts'
import { weighTool } from '../src/weigh-tool.ts'
import { worldOf } from './world.ts'

const root = tempRepo({ 'a.txt': 'one\n', 'src/b.txt': 'two\n' })
git(root, 'branch', '-M', 'main')
mkdirSync(join(root, '.claude'))
symlinkSync('.claude', join(root, 'settings'))
symlinkSync('.git/hooks', join(root, 'hooks'))
const env = { HOME: realpathSync(tempFolder('home')), GIT_CONFIG_GLOBAL: '/dev/null' }
const scene = readScene(root, worldOf(env))

describe('a file that only its own tool or the person writes', () => {
  const judged = (name: string, path: string) => {
    const tool = { name, kind: 'write', command: undefined, paths: [path] } as const
    const { decision, rule } = weighTool(tool, undefined, scene)
    return `${decision} ${decision === 'allow' ? '' : rule}`.trim()
  }

  it.each([
    ['.claude/settings.json', 'ask rm.settings'],
    ['.CLAUDE/settings.local.json', 'ask rm.settings'],
    ['Loop.json', 'ask rm.settings'],
    ['settings/settings.json', 'ask rm.settings'],
    [join(env.HOME, '.claude/settings.json'), 'ask rm.settings'],
    [join(env.HOME, '.codex/hooks.json'), 'ask rm.settings'],
    ['.opencode/plugin/loop.js', 'ask rm.settings'],
    ['.jwz/topics/a.jsonl', 'ask rm.store'],
    ['.tissue/issues.jsonl', 'ask rm.store'],
    ['.git/config', 'ask git.settings'],
    ['.git/loop/verified/x.json', 'ask git.settings'],
    ['hooks/pre-commit', 'ask git.settings'],
    ['.git/HEAD', 'deny rm.git'],
    ['.GIT/refs/heads/main', 'deny rm.git'],
    [join(env.HOME, '.local/state/switchyard/key'), 'deny machine.key'],
    ['.git/info/exclude', 'allow'],
    ['.git/COMMIT_EDITMSG', 'allow'],
    ['.claude/agents/reviewer.md', 'allow'],
    ['src/loop.json', 'allow'],
    ['.gitignore', 'allow'],
    ['.github/workflows/ci.yml', 'allow'],
    ['/etc/hosts', 'allow'],
  ])('is %s: %s', (path, verdict) => {
    for (const tool of ['Write', 'Edit', 'MultiEdit', 'Update']) expect(judged(tool, path)).toBe(verdict)
  })
})
