// The whole judgement of a line of shell. Loaded only when the filter lets a command through to it.

import { verdictsOfPacks } from './packs/judge-packs.ts'
import { verdictOf, verdictOfOwn } from './policy.ts'
import { isLimited } from './role.ts'
import { onlyReads } from './role-commands.ts'
import { isDevice } from './rules/device.ts'
import { judgeVariables } from './rules/disarm.ts'
import { found } from './rules/judge.ts'
import { judgesOf } from './rules/judges.ts'
import { ruleOfRemoval } from './rules/remove.ts'
import { aliasAt } from './scene/git-files.ts'
import { keptPathIn } from './scene/kept.ts'
import { metered } from './scene/metered.ts'
import { placeOf } from './scene/places.ts'
import type { Scene } from './scene/scene.ts'
import { asksForHelp, type Command, hole, isKnown, nameOf, shownCommand } from './shell/command.ts'
import { mayMatter } from './shell/filter.ts'
import { readShell } from './shell/read-shell.ts'
import { type Finding, strictest } from './verdict/finding.ts'
import type { RuleId } from './verdict/rule-table.ts'
import { unjudged } from './verdict/unjudged.ts'
import type { Verdict } from './verdict/verdict.ts'
import { ruleOfWrite } from './writes.ts'
import { writtenPaths } from './written-paths.ts'

/** What was seen of a line of shell, and what the guard says to it. */
export type Judgement = {
  readonly commands: readonly { readonly command: Command; readonly verdicts: readonly Verdict[] }[]
  /** What concerns the line as a whole. */
  readonly others: readonly Verdict[]
  readonly verdict: Verdict
}

/** Judges a line of shell that would run where the scene is. */
export function judgeCommand(text: string, scene: Scene, agentType?: string): Judgement {
  try {
    return judgeRead(text, metered(scene), agentType)
  } catch (error) {
    const isBound = scene.worktree !== undefined || isLimited(agentType)
    const verdict = unjudged(error, { env: scene.world.env, isBound })
    return { commands: [], others: [verdict], verdict }
  }
}

function judgeRead(text: string, scene: Scene, agentType: string | undefined): Judgement {
  const { world, cwd } = scene
  const aliasOf = (name: string, folder: string) => aliasAt(name, folder, world)
  const topOf = (folder: string) =>
    isKnown(folder) ? world.repositoryAt(world.realPath(folder) ?? folder)?.top : undefined
  const scriptAt = (path: string) => (isOwnScript(path, scene) ? world.scriptAt(path) : undefined)
  const { home, namesIn, spend } = world
  const read = readShell(text, { cwd, home, aliasOf, topOf, namesIn, scriptAt, spend })
  const commands = read.commands.map((command) => {
    const findings = [
      ...judgeSimple(command, scene),
      ...judgeRedirects(command, scene),
      ...judgePaths(command, scene),
      ...judgeKept(command, scene),
      ...judgeVariables(command, scene),
      ...found(command, isLimited(agentType) && !onlyReads(command, scene) && 'role.read-only'),
    ]
    // The verdict of a reviewer is its own to give.
    const left = (rule: RuleId) => isLimited(agentType) && rule === 'loop.verdict'
    const met = findings.filter(({ rule }) => !left(rule) && !(command.isFromFile === true && guessed.has(rule)))
    return {
      command,
      verdicts: [
        ...met.map((finding) => verdictOf(finding, scene)),
        ...verdictOfOwn(command, scene),
        ...verdictsOfPacks(command, scene),
      ],
    }
  })
  const unread = read.unread
    .filter((part) => dangerWord.test(part) && mayMatter(text))
    .map((part): Finding => ({ rule: 'shell.opaque', at: shownCommand([part]) }))
  const others = [...read.findings, ...unread].map((finding) => verdictOf(finding, scene))
  return { commands, others, verdict: strictest([...commands.flatMap(({ verdicts }) => verdicts), ...others]) }
}

/** A script of the project, or one that was written for now; others are programs like any. */
function isOwnScript(path: string, scene: Scene): boolean {
  const real = isKnown(path) ? scene.world.realPath(path) : undefined
  if (real === undefined) return false
  const kind = placeOf(real, scene)
  return kind === 'inside' || kind === 'temporary'
}

/** What is asked about because a word is not known: in a script on disk, such a word is nobody's attempt to hide. */
const guessed = new Set<RuleId>(['rm.dynamic', 'shell.dynamic', 'git.dynamic', 'shell.opaque', 'git.discard-folder'])

/** What makes a text worth asking about when it cannot be read. */
const dangerWord =
  /\b(?:rm|rmtree|unlink|shred|dd|mkfs|truncate|push|reset|clean|drop|dropdb|delete|destroy|prune|flushall|kill)\b/i

function judgeSimple(command: Command, scene: Scene): readonly Finding[] {
  const [word = ''] = command.argv
  if (!isKnown(word) || /[*?[]/.test(word)) return judgeUnknown(command, scene)
  return asksForHelp(command.argv) ? [] : judgesOf(nameOf(word)).flatMap((judge) => judge(command, scene))
}

/** Some program, nobody knows which, that is given what a removal is given. */
function judgeUnknown(command: Command, scene: Scene): readonly Finding[] {
  const [, ...args] = command.argv
  const isRecursive = args.some((arg) => /^-[a-zA-Z]*[rR]/.test(arg) || arg === '--recursive')
  const isForce = args.some((arg) => /^-[a-zA-Z]*f/.test(arg) || arg === '--force' || arg === '--hard')
  if (!isRecursive && !isForce) return []
  const targets = args.filter((arg) => !arg.startsWith('-') && arg !== hole)
  const isDangerous = isRecursive && targets.some((target) => ruleOfRemoval(target, true, command, scene) !== undefined)
  const isPush = isForce && args.some((arg) => arg === 'push' || arg === 'reset' || arg === 'clean')
  return found(command, (isDangerous || isPush) && 'shell.dynamic')
}

/** `> /dev/sda`, and `>` onto a store. */
function judgeRedirects(command: Command, scene: Scene): readonly Finding[] {
  return command.redirects.flatMap(({ operator, path }): readonly Finding[] => {
    if (isDevice(path)) return [{ rule: 'device.write', at: `> ${path}` }]
    const isEmptying = operator.endsWith('>') && !operator.endsWith('>>')
    if (!isEmptying || !isKnown(path)) return []
    const rule = ruleOfRemoval(path, false, command, scene)
    const isVital = rule === 'rm.git' && /\/(?:HEAD|index|packed-refs|(?:refs|objects)\/.*)$/.test(path)
    // What is written over outside of the project is no removal.
    if (rule === undefined || rule === 'rm.outside' || rule === 'rm.files') return []
    if (rule !== 'rm.store' && !isVital && !isSilent(command)) return []
    return [{ rule, at: `> ${path}` }]
  })
}

/** What is written where only its own tool writes, and within an issue outside of its worktree. */
function judgePaths(command: Command, scene: Scene): readonly Finding[] {
  // Outside of an issue a folder that is made is no loss.
  if (scene.worktree === undefined && nameOf(command.argv[0] ?? '') === 'mkdir') return []
  return writtenPaths(command).flatMap((path) => {
    const rule = ruleOfWrite(path, scene)
    return rule === undefined ? [] : [{ rule, at: path }]
  })
}

/** What names loop's own folder, to read or to write. */
function judgeKept(command: Command, scene: Scene): readonly Finding[] {
  const at = keptPathIn(command, scene)
  return at === undefined ? [] : [{ rule: 'machine.key', at }]
}

const isSilent = ({ argv }: Command) => argv.length === 0 || argv[0] === ':' || argv[0] === 'true'
