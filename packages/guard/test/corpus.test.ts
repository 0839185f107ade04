import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { judgeCommand } from '../src/judge-command.ts'
import { readScene } from '../src/scene/scene.ts'
import { mayMatter } from '../src/shell/filter.ts'
import { ruleTable } from '../src/verdict/rule-table.ts'
import { worldOf } from './world.ts'

/** A command and what the guard says to it: where, `issue` for within an issue, and by which agent. */
type Sample = { command: string; decision: string; rule: string | null; where?: 'issue'; agent?: string }

const corpus: Sample[] = readFileSync(new URL('./fixtures/corpus.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line))

const home = '/home/ada'
/** Scripts that a command may run, which are read, and settings of git with aliases. */
const project: { files: Record<string, string>; settings: string } = JSON.parse(
  readFileSync(new URL('./fixtures/project.json', import.meta.url), 'utf8'),
)

/** A repository on main with aliases and scripts, and a worktree of an issue in it. */
function fixture() {
  const root = tempRepo(project.files)
  git(root, 'branch', '-M', 'main')
  const worktree = join(root, '.worktrees', 'loop', 'k3vd')
  mkdirSync(join(root, '.worktrees', 'loop'), { recursive: true })
  git(root, 'worktree', 'add', '-q', '-b', 'loop/issue/k3vd', worktree)
  appendFileSync(join(root, '.git', 'config'), project.settings)
  return { root, worktree }
}

const { root, worktree } = fixture()
const world = worldOf({ HOME: home, GIT_CONFIG_GLOBAL: '/dev/null' })
const scenes = { main: readScene(root, world), issue: readScene(worktree, world) }

const placed = (text: string) => text.replaceAll('<root>', root).replaceAll('<worktree>', worktree)

function said({ command, where, agent }: Sample): string {
  const { decision, rule } = judgeCommand(placed(command), scenes[where ?? 'main'], agent).verdict
  return `${decision} ${decision === 'allow' ? null : rule}: ${command}`
}

describe('the corpus', () => {
  it('has at least 400 commands, half of them innocent', () => {
    const innocent = corpus.filter(({ decision }) => decision === 'allow')
    expect(corpus.length).toBeGreaterThanOrEqual(400)
    expect(innocent.length / corpus.length).toBeGreaterThanOrEqual(0.5)
  })

  it('gets the verdicts it names, without one false alarm', () => {
    const wrong = corpus.flatMap((sample) => {
      const expected = `${sample.decision} ${sample.rule}: ${sample.command}`
      return said(sample) === expected ? [] : [{ expected, said: said(sample) }]
    })
    expect(wrong).toEqual([])
  })

  it('meets every rule', () => {
    const met = new Set(corpus.map(({ rule }) => rule))
    const elsewhere = ['git.no-verify', 'guard.unjudged']
    const unmet = Object.keys(ruleTable).filter((rule) => !met.has(rule) && !elsewhere.includes(rule))
    expect(unmet, 'each rule has a command in fixtures/corpus.jsonl, and one beside it that is let go').toEqual([])
  })

  it('comes through the filter wherever the judge has something to say', () => {
    const told = corpus.filter(({ decision, where, agent }) => decision !== 'allow' && !where && !agent)
    expect(told.filter(({ command }) => !mayMatter(command))).toEqual([])
  })
})
