// Git that throws away what is not committed: checkout, restore, switch, reset, clean, rm.
import { isProtected } from '../scene/protected.ts'
import type { Scene } from '../scene/scene.ts'
import { hole, isKnown } from '../shell/command.ts'
import type { GitCall } from '../shell/git-call.ts'
import { type Options, readOptions } from '../shell/options.ts'
import { pathFrom } from '../shell/path-from.ts'
import type { RuleId } from '../verdict/rule-table.ts'
import { widest } from './pathspec.ts'

export type Rules = readonly (RuleId | undefined | false)[]
/** `stdin`: what git reads, where the text tells. */
export type Read = (call: GitCall, scene: Scene, stdin: string | undefined) => Rules

export const has = ({ flags }: Options, ...names: readonly string[]) => names.some((name) => flags.has(name))

/** In the worktree of the issue, which was made for it, what is thrown away is the agent's own. */
export const unlessOwn = (call: GitCall, scene: Scene, ...rules: Rules): Rules => (isOwnTree(call, scene) ? [] : rules)

function isOwnTree({ cwd }: GitCall, { world, worktree }: Scene): boolean {
  if (worktree === undefined || !isKnown(cwd)) return false
  return world.repositoryAt(world.realPath(cwd) ?? cwd)?.top === worktree
}

/** The rule that the loss of these paths meets. */
function ruleOfLoss(paths: readonly string[], { cwd }: GitCall, scene: Scene): RuleId | undefined {
  const reach = widest(paths, cwd, scene)
  if (reach === undefined) return undefined
  return reach === 'all' ? 'git.discard' : reach === 'folder' ? 'git.discard-folder' : 'git.discard-file'
}

const checkoutLong = [
  'force',
  'ours',
  'theirs',
  'detach',
  'orphan=',
  'patch',
  'merge',
  'conflict=',
  'quiet',
  'progress',
  'track',
  'no-track',
  'guess',
  'overlay',
  'staged',
  'worktree',
  'source=',
  'discard-changes',
  'create=',
  'force-create=',
  'pathspec-from-file=',
  'pathspec-file-nul',
  'ignore-unmerged',
  'overwrite-ignore',
  'recurse-submodules',
]

/** Pathspecs that a file names; a hole where nobody knows them. */
function pathsFromFile({ values }: Options, stdin: string | undefined): readonly string[] {
  const [file] = values.get('pathspec-from-file') ?? []
  if (file === undefined) return []
  if (file !== '-' || stdin === undefined) return [hole]
  return stdin.split(/[\n\0]+/).filter((line) => line !== '')
}

/** Operands of checkout that are paths: those behind `--`, and without it what is there, or follows a commit. */
function pathsOfCheckout({ args, cwd }: GitCall, options: Options, { world }: Scene): readonly string[] {
  const dashes = args.indexOf('--')
  if (dashes >= 0) return args.slice(dashes + 1)
  if (has(options, 'b', 'B', 'orphan', 'detach', 't', 'track')) return []
  const isPath = (word: string) =>
    /^(?:\.{1,2}(?:\/|$)|[:*/])/.test(word) ||
    (isKnown(cwd + word) && world.realPath(pathFrom(cwd, word)) !== undefined)
  return options.operands.filter((word, at) => at > 0 || isPath(word))
}

export const readCheckout: Read = (call, scene, stdin) => {
  const options = readOptions(call.args, { valued: 'bB', long: checkoutLong })
  if (has(options, 'p', 'patch')) return []
  const reset = options.values.get('B') ?? []
  const paths = [...pathsOfCheckout(call, options, scene), ...pathsFromFile(options, stdin)]
  // One side of a conflict is taken, which throws nothing away that was not in a commit.
  const isSide = has(options, 'ours', 'theirs') && ruleOfLoss(paths, call, scene) !== 'git.discard'
  return [
    ...unlessOwn(call, scene, has(options, 'f', 'force') && 'git.discard', !isSide && ruleOfLoss(paths, call, scene)),
    reset.some((name) => isProtected(name, scene)) && 'git.branch-protected',
  ]
}

export const readRestore: Read = (call, scene, stdin) => {
  const options = readOptions(call.args, { valued: 's', long: checkoutLong })
  const isIndexOnly = has(options, 'S', 'staged') && !has(options, 'W', 'worktree')
  if (isIndexOnly || has(options, 'p', 'patch')) return []
  const paths = [...options.operands, ...pathsFromFile(options, stdin)]
  return unlessOwn(call, scene, ruleOfLoss(paths, call, scene))
}

export const readSwitch: Read = (call, scene) => {
  const options = readOptions(call.args, { valued: 'cC', long: checkoutLong })
  const reset = [...(options.values.get('C') ?? []), ...(options.values.get('force-create') ?? [])]
  const isDiscarding = has(options, 'f', 'force', 'discard-changes')
  return [
    ...unlessOwn(call, scene, isDiscarding && 'git.discard'),
    reset.some((name) => isProtected(name, scene)) && 'git.branch-protected',
  ]
}

export const readReset: Read = (call, scene) => {
  const options = readOptions(call.args, {
    long: ['hard', 'soft', 'mixed', 'merge', 'keep', 'quiet', 'patch', 'pathspec-from-file='],
  })
  return unlessOwn(call, scene, has(options, 'hard') && 'git.hard-reset')
}

export const readClean: Read = (call, scene) => {
  const options = readOptions(call.args, {
    valued: 'e',
    long: ['force', 'dry-run', 'interactive', 'quiet', 'exclude='],
  })
  const isForced =
    has(options, 'f', 'force') || /^(?:false|no|off|0)$/i.test(call.config.get('clean.requireforce') ?? '')
  if (!isForced || has(options, 'n', 'dry-run', 'i', 'interactive')) return []
  const reach = options.operands.length === 0 ? 'all' : widest(options.operands, call.cwd, scene)
  return unlessOwn(call, scene, reach === 'all' ? 'git.clean' : 'git.discard-file')
}

export const readRemove: Read = (call, scene, stdin) => {
  const options = readOptions(call.args, { long: ['force', 'cached', 'dry-run', 'quiet', 'pathspec-from-file='] })
  if (!has(options, 'f', 'force') || has(options, 'cached', 'n', 'dry-run')) return []
  return unlessOwn(call, scene, ruleOfLoss([...options.operands, ...pathsFromFile(options, stdin)], call, scene))
}
