// The way in: most tool calls matter to nobody, and are let go before the parser and the rules are loaded.

import { Failure } from '@switchyard/ground/failure'
import { basename, dirname, resolve } from '@switchyard/ground/machine'
import { isReading, plainGit } from './plain-git.ts'
import { isLimited } from './role.ts'
import { readScene, type Scene } from './scene/scene.ts'
import type { GuardSettings } from './scene/settings.ts'
import type { GuardWorld } from './scene/world.ts'
import { mayMatter } from './shell/filter.ts'
import { isPowerShell, type ToolUse } from './tool-use.ts'
import { nothingFound } from './verdict/finding.ts'
import { unjudged } from './verdict/unjudged.ts'
import type { Verdict } from './verdict/verdict.ts'

/** Who is about to use a tool, and where. */
export type Asker = {
  readonly cwd: string
  /** As the host names a subagent; undefined for the agent of the session. */
  readonly agentType?: string | undefined
  /** The worktree of the issue that the session works, wherever it stands. */
  readonly worktree?: string | undefined
}

/** What the guard says; `warning` is what is wrong with the settings that it went by. */
export type Judged = { readonly verdict: Verdict; readonly warning: string | undefined }

/**
 * Judges what an agent is about to do: its command, or the paths it would write. Runs nothing and asks nobody. Never
 * fails: what could not be judged is asked about, or denied where nobody can be asked.
 */
export async function judgeTool(tool: ToolUse, asker: Asker, world: GuardWorld): Promise<Judged> {
  let scene: Scene | undefined
  try {
    scene = within(asker.worktree, sceneOf(asker.cwd, tool, world))
    return { verdict: await verdictOf(tool, asker.agentType, scene), warning: scene.settings.warning }
  } catch (error) {
    const isBound = scene?.worktree !== undefined || isLimited(asker.agentType)
    return { verdict: unjudged(error, { env: world.env, isBound }), warning: scene?.settings.warning }
  }
}

/** The verdict where something fails before there is anything to judge. */
export function unjudgedCall(error: unknown, env: GuardWorld['env']): Verdict {
  return unjudged(error, { env, isBound: Boolean(env['LOOP_ISSUE']) || Boolean(env['LOOP_WORKTREE']) })
}

/** An issue is worked by the session, not by the folder that it happens to stand in. */
function within(worktree: string | undefined, scene: Scene): Scene {
  if (worktree === undefined || scene.worktree !== undefined) return scene
  return { ...scene, worktree: scene.world.realPath(worktree) ?? worktree }
}

/** A call may name another folder than the session's; what holds in the session holds there too. */
function sceneOf(cwd: string, { folder }: ToolUse, world: GuardWorld): Scene {
  const scene = readScene(cwd, world)
  if (folder === undefined) return scene
  const there = resolve(scene.cwd, folder)
  return { ...scene, cwd: world.realPath(there) ?? there }
}

/** Names that what is protected bears, or is below. */
const shieldedName =
  /(?:^|\/)(?:\.(?:git|jwz|tissue|scope|deepscan|claude|codex|gemini|opencode)|loop\.json|opencode\.jsonc?|switchyard[^/]*)(?:\/|$)/i

/** Whether a path has such a name, as it is written or where it leads. */
function isShieldedName(path: string, { cwd, world }: Scene): boolean {
  const whole = resolve(cwd, path)
  const led = world.realPath(whole) ?? `${world.realPath(dirname(whole)) ?? ''}/${basename(whole)}`
  return shieldedName.test(whole) || shieldedName.test(led)
}

async function verdictOf(tool: ToolUse, agentType: string | undefined, scene: Scene): Promise<Verdict> {
  const { kind, command, paths, unread } = tool
  if (unread !== undefined) throw new Failure('usage', unread)
  const isWatched =
    isLimited(agentType) || scene.worktree !== undefined || paths.some((path) => isShieldedName(path, scene))
  // Texts of PowerShell have many names for a word, and are few: all of them are read.
  const matters =
    kind === 'shell' &&
    command !== undefined &&
    (isPowerShell(tool) || hasOwnRules(scene.settings) || mayMatter(command) || shieldedName.test(scene.cwd))
  if (!matters && !(isWatched && (kind !== 'other' || paths.length > 0))) return nothingFound
  const isPlain = !isLimited(agentType) && scene.settings.packs.length === 0
  const git = matters && isPlain ? plainGit(command) : undefined
  if (git !== undefined) {
    if (isReading(git, scene)) return nothingFound
    const { weighGit } = await import('./weigh-git.ts')
    const verdict = weighGit(git, scene)
    if (verdict !== undefined) return verdict
  }
  const { weighTool } = await import('./weigh-tool.ts')
  return weighTool(tool, agentType, scene)
}

/** A project's own rules may speak of any command. */
const hasOwnRules = ({ add, packs }: GuardSettings) => add.length > 0 || packs.length > 0
