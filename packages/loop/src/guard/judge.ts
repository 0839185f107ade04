import type { Answer, HostEvent } from '../hook/host-event.ts'
import { mayMatter } from './filter.ts'
import { nothingFound, said, type Verdict } from './finding.ts'
import { isReading, plainGit } from './plain-git.ts'
import { isLimited } from './role.ts'
import { readScene, type Scene } from './scene.ts'
import { openWorld } from './world.ts'

type PreTool = Extract<HostEvent, { event: 'pre-tool' }>

/** A tool that an agent is about to use, in the environment of its hook. */
type Asked = { readonly event: PreTool; readonly env: Readonly<Record<string, string | undefined>> }

/** Judges what an agent is about to do: its command, or the paths it would write. Runs nothing and asks nobody. */
export async function judgeTool({ event, env }: Asked): Promise<Answer> {
  const scene = readScene(event.cwd, openWorld(env))
  const verdict = await verdictOfTool(event, scene)
  const warning = scene.settings.warning === undefined ? {} : { warning: scene.settings.warning }
  if (verdict.decision === 'allow') return { do: 'allow', ...warning }
  const { redactorOf } = await import('@switchyard/cli-kit/secrets')
  const reason = redactorOf(env)(said(verdict))
  return verdict.decision === 'warn' ? { do: 'allow', warning: reason } : { do: verdict.decision, reason, ...warning }
}

/**
 * What the guard says to a tool call, with the rule that said it. Most calls matter to nobody: the parser and the rules
 * are loaded for the others.
 */
export async function verdictOfTool(use: Pick<PreTool, 'tool' | 'agentType'>, scene: Scene): Promise<Verdict> {
  const { kind, command, paths } = use.tool
  const isWatched =
    isLimited(use.agentType) || scene.worktree !== undefined || paths.some((path) => path.includes('switchyard'))
  const matters = kind === 'shell' && command !== undefined && (scene.settings.add.length > 0 || mayMatter(command))
  if (!matters && !(isWatched && (kind !== 'other' || paths.length > 0))) return nothingFound
  const git = matters && !isLimited(use.agentType) ? plainGit(command) : undefined
  if (git !== undefined) {
    if (isReading(git, scene)) return nothingFound
    const { weighGit } = await import('./weigh-git.ts')
    const verdict = weighGit(git, scene)
    if (verdict !== undefined) return verdict
  }
  const { weighTool } = await import('./weigh-tool.ts')
  return weighTool(use, scene)
}
