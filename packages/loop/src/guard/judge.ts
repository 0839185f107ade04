import { basename, dirname, resolve } from 'node:path'
import { Failure } from '@switchyard/cli-kit/failure'
import type { Answer, HostEvent } from '../hook/host-event.ts'
import { isPowerShell } from '../hook/is-powershell.ts'
import { mayMatter } from './filter.ts'
import { nothingFound, said, type Verdict } from './finding.ts'
import { isReading, plainGit } from './plain-git.ts'
import { isLimited } from './role.ts'
import { readScene, type Scene } from './scene.ts'
import type { GuardSettings } from './settings.ts'
import { unjudged } from './unjudged.ts'
import { type GuardWorld, openWorld } from './world.ts'

type PreTool = Extract<HostEvent, { event: 'pre-tool' }>
type Use = Pick<PreTool, 'tool' | 'agentType'>

/** A tool that an agent is about to use, in the environment of its hook. */
type Asked = {
  readonly event: PreTool
  readonly env: Readonly<Record<string, string | undefined>>
  /** The worktree of the issue that the session works, wherever it stands. */
  readonly worktree?: string | undefined
}

/** Judges what an agent is about to do: its command, or the paths it would write. Runs nothing and asks nobody. */
export async function judgeTool({ event, env, worktree }: Asked): Promise<Answer> {
  const { verdict, said: told } = await judgeAt(event.cwd, event, env, worktree)
  const warning = told === undefined ? {} : { warning: told }
  if (verdict.decision === 'allow') return { do: 'allow', ...warning }
  const { redactorOf } = await import('@switchyard/cli-kit/secrets')
  const reason = redactorOf(env)(said(verdict))
  return verdict.decision === 'warn' ? { do: 'allow', warning: reason } : { do: verdict.decision, reason, ...warning }
}

/** What the guard says to a tool call made in a folder, and what is wrong with the settings there. */
export async function judgeAt(
  cwd: string,
  use: Use,
  env: Asked['env'],
  worktree?: string,
): Promise<{ readonly verdict: Verdict; readonly said: string | undefined }> {
  let scene: Scene | undefined
  try {
    scene = within(worktree, sceneOf(cwd, use, openWorld(env)))
    return { verdict: await verdictOfTool(use, scene), said: scene.settings.warning }
  } catch (error) {
    const isBound = scene?.worktree !== undefined || isLimited(use.agentType)
    return { verdict: unjudged(error, { env, isBound }), said: scene?.settings.warning }
  }
}

/** An issue is worked by the session, not by the folder that it happens to stand in. */
function within(worktree: string | undefined, scene: Scene): Scene {
  if (worktree === undefined || scene.worktree !== undefined) return scene
  return { ...scene, worktree: scene.world.realPath(worktree) ?? worktree }
}

/** A call may name another folder than the session's; what holds in the session holds there too. */
function sceneOf(cwd: string, { tool: { folder } }: Use, world: GuardWorld): Scene {
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

/** The answer where a hook fails before there is anything to judge. */
export function unjudgedAnswer(error: unknown, env: Asked['env']): Answer {
  const isBound = Boolean(env['LOOP_ISSUE']) || Boolean(env['LOOP_WORKTREE'])
  const verdict = unjudged(error, { env, isBound })
  return { do: verdict.decision === 'deny' ? 'deny' : 'ask', reason: said(verdict) }
}

/**
 * What the rules say to a tool call. Most calls matter to nobody: the parser and the rules
 * are loaded for the others.
 */
async function verdictOfTool(use: Use, scene: Scene): Promise<Verdict> {
  const { kind, command, paths, unread } = use.tool
  if (unread !== undefined) throw new Failure('usage', unread)
  const isWatched =
    isLimited(use.agentType) || scene.worktree !== undefined || paths.some((path) => isShieldedName(path, scene))
  // Texts of PowerShell have many names for a word, and are few: all of them are read.
  const matters =
    kind === 'shell' &&
    command !== undefined &&
    (isPowerShell(use.tool.name) || hasOwnRules(scene.settings) || mayMatter(command) || shieldedName.test(scene.cwd))
  if (!matters && !(isWatched && (kind !== 'other' || paths.length > 0))) return nothingFound
  const isPlain = !isLimited(use.agentType) && scene.settings.packs.length === 0
  const git = matters && isPlain ? plainGit(command) : undefined
  if (git !== undefined) {
    if (isReading(git, scene)) return nothingFound
    const { weighGit } = await import('./weigh-git.ts')
    const verdict = weighGit(git, scene)
    if (verdict !== undefined) return verdict
  }
  const { weighTool } = await import('./weigh-tool.ts')
  return weighTool(use, scene)
}

/** A project's own rules may speak of any command. */
const hasOwnRules = ({ add, packs }: GuardSettings) => add.length > 0 || packs.length > 0
