// Git: what throws work away, and what moves what is not the agent's to move.
import { isProtected } from '../protected.ts'
import type { RuleId } from '../rule-table.ts'
import type { Scene } from '../scene.ts'
import { isKnown } from '../shell/command.ts'
import { type GitCall, readGit } from '../shell/git-call.ts'
import { type Options, readOptions } from '../shell/options.ts'
import { rulesOfPush } from './git-push.ts'
import { found, type Judge } from './judge.ts'

type Rules = readonly (RuleId | undefined | false)[]
type Read = (call: GitCall, scene: Scene) => Rules

/** git, with all that may stand before the subcommand. */
export const judgeGit: Judge = (command, scene) => {
  const call = readGit(command)
  const read = Object.hasOwn(subcommands, call.subcommand) ? subcommands[call.subcommand] : undefined
  const isBlind = !isKnown(call.subcommand) && call.args.some((arg) => /^(?:--hard|--force|-f|-fd|-fdx|-D)$/.test(arg))
  return found(command, ...(read?.(call, scene) ?? []), ...rulesOfIssue(call, scene), isBlind && 'shell.dynamic')
}

const has = ({ flags }: Options, ...names: readonly string[]) => names.some((name) => flags.has(name))

/** In the worktree of the issue, which was made for it, what is thrown away is the agent's own. */
const unlessOwn = (call: GitCall, scene: Scene, ...rules: Rules): Rules => (isOwnTree(call, scene) ? [] : rules)

function isOwnTree({ cwd }: GitCall, { world, worktree }: Scene): boolean {
  if (worktree === undefined || !isKnown(cwd)) return false
  return world.repositoryAt(world.realPath(cwd) ?? cwd)?.top === worktree
}

/** Whether a pathspec means everything. */
const isWhole = (path: string) => /^(?:\.{1,2}\/?|\*+|\.\/\*+|:\/?\*?|:\(top\)\*?)$/.test(path)

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
]

const readCheckout: Read = (call, scene) => {
  const options = readOptions(call.args, { valued: 'bB', long: checkoutLong })
  if (has(options, 'p', 'patch')) return []
  const reset = options.values.get('B') ?? []
  const isDiscarding = has(options, 'f', 'force') || options.operands.some(isWhole)
  return [
    ...unlessOwn(call, scene, isDiscarding && 'git.discard'),
    reset.some((name) => isProtected(name, scene)) && 'git.branch-protected',
  ]
}

const readRestore: Read = (call, scene) => {
  const options = readOptions(call.args, { valued: 's', long: checkoutLong })
  const isIndexOnly = has(options, 'S', 'staged') && !has(options, 'W', 'worktree')
  const isDiscarding = !isIndexOnly && !has(options, 'p', 'patch') && options.operands.some(isWhole)
  return unlessOwn(call, scene, isDiscarding && 'git.discard')
}

const readSwitch: Read = (call, scene) => {
  const options = readOptions(call.args, { valued: 'cC', long: checkoutLong })
  const reset = [...(options.values.get('C') ?? []), ...(options.values.get('force-create') ?? [])]
  const isDiscarding = has(options, 'f', 'force', 'discard-changes')
  return [
    ...unlessOwn(call, scene, isDiscarding && 'git.discard'),
    reset.some((name) => isProtected(name, scene)) && 'git.branch-protected',
  ]
}

const readReset: Read = (call, scene) => {
  const options = readOptions(call.args, {
    long: ['hard', 'soft', 'mixed', 'merge', 'keep', 'quiet', 'patch', 'pathspec-from-file='],
  })
  return unlessOwn(call, scene, has(options, 'hard') && 'git.hard-reset')
}

const readClean: Read = (call, scene) => {
  const options = readOptions(call.args, {
    valued: 'e',
    long: ['force', 'dry-run', 'interactive', 'quiet', 'exclude='],
  })
  const isForced =
    has(options, 'f', 'force') || /^(?:false|no|off|0)$/i.test(call.config.get('clean.requireforce') ?? '')
  const isPart = options.operands.length > 0 && !options.operands.some(isWhole)
  return unlessOwn(call, scene, isForced && !has(options, 'n', 'dry-run', 'i', 'interactive') && !isPart && 'git.clean')
}

const readBranch: Read = (call, scene) => {
  const options = readOptions(call.args, {
    valued: 'u',
    long: [
      'delete',
      'force',
      'move',
      'copy',
      'list',
      'remotes',
      'all',
      'set-upstream-to=',
      'contains=',
      'merged=',
      'no-merged=',
      'format=',
      'sort=',
      'points-at=',
    ],
  })
  const isForced = has(options, 'f', 'force')
  const isDeleting = has(options, 'D', 'd', 'delete')
  if (has(options, 'r', 'remotes')) return []
  const isAnyProtected = options.operands.some((name) => isProtected(name, scene))
  if (isDeleting) {
    const isHard = has(options, 'D') || isForced
    return [
      isHard && (isAnyProtected ? 'git.branch-protected' : 'git.branch-delete'),
      isAnyProtected && 'git.branch-delete',
    ]
  }
  const isMoved = isForced && !has(options, 'm', 'move', 'M') && isProtected(options.operands[0] ?? '', scene)
  return [isMoved && 'git.branch-protected']
}

const readUpdateRef: Read = ({ args }, scene) => {
  const options = readOptions(args, { valued: 'm', long: ['delete', 'no-deref', 'create-reflog', 'stdin'] })
  const isBase = isProtected((options.operands[0] ?? '').replace(/^refs\/heads\//, ''), scene)
  return [isBase ? 'git.branch-protected' : has(options, 'd', 'delete') && 'git.ref-delete']
}

const readFetch: Read = ({ args }, scene) => {
  const options = readOptions(args, {
    valued: 'jo',
    long: ['force', 'depth=', 'jobs=', 'upload-pack=', 'recurse-submodules'],
  })
  const isForced = has(options, 'f', 'force')
  return options.operands.slice(1).map((spec) => {
    const target = /:(?:refs\/heads\/)?(.+)$/.exec(spec)?.[1]
    const isBase = target !== undefined && !target.startsWith('refs/') && isProtected(target, scene)
    return isBase && (isForced || spec.startsWith('+') || scene.worktree !== undefined) && 'git.branch-protected'
  })
}

const subcommands: Readonly<Record<string, Read>> = {
  push: rulesOfPush,
  'send-pack': rulesOfPush,
  reset: readReset,
  checkout: readCheckout,
  restore: readRestore,
  switch: readSwitch,
  clean: readClean,
  branch: readBranch,
  'update-ref': readUpdateRef,
  fetch: readFetch,
  pull: readFetch,
  stash: ({ args }) => [(args[0] === 'drop' || args[0] === 'clear') && 'git.stash-drop'],
  worktree: ({ args }) => [
    args[0] === 'remove' && has(readOptions(args, { long: ['force'] }), 'f', 'force') && 'git.worktree-remove',
  ],
  reflog: ({ args }) => [
    /^(?:expire|delete|drop)$/.test(args[0] ?? '') &&
      !args.includes('--dry-run') &&
      !args.includes('-n') &&
      'git.reflog',
  ],
  gc: ({ args, config }) => [
    config.get('gc.pruneexpire') === 'now' && 'git.reflog',
    readOptions(args, { long: ['prune', 'aggressive', 'auto', 'quiet', 'no-prune', 'force'] })
      .values.get('prune')
      ?.some((when) => /^(?:now|all)$/.test(when)) && 'git.reflog',
  ],
  prune: ({ args }) => [!has(readOptions(args, { long: ['dry-run'] }), 'n', 'dry-run') && 'git.reflog'],
  'filter-branch': () => ['git.rewrite'],
  'filter-repo': () => ['git.rewrite'],
  rm: (call, scene) => {
    const options = readOptions(call.args, { long: ['force', 'cached', 'dry-run', 'quiet'] })
    const isLost =
      has(options, 'f', 'force') && !has(options, 'cached', 'n', 'dry-run') && options.operands.some(isWhole)
    return unlessOwn(call, scene, isLost && 'git.discard')
  },
  'read-tree': (call, scene) =>
    unlessOwn(call, scene, call.args.includes('--reset') && call.args.includes('-u') && 'git.discard'),
  'checkout-index': (call, scene) => {
    const options = readOptions(call.args, { long: ['force', 'all'] })
    return unlessOwn(call, scene, has(options, 'f', 'force') && has(options, 'a', 'all') && 'git.discard')
  },
}

/** Subcommands that change the tree or the branch they are called in. */
const changing = [
  'checkout',
  'switch',
  'reset',
  'merge',
  'rebase',
  'commit',
  'cherry-pick',
  'revert',
  'stash',
  'pull',
  'restore',
  'clean',
  'am',
  'apply',
  'rm',
  'mv',
  'add',
]

/** What only holds while an issue is worked. */
function rulesOfIssue(call: GitCall, scene: Scene): Rules {
  const { cwd, subcommand, args, config } = call
  if (scene.worktree === undefined) return []
  const here = isKnown(cwd) ? scene.world.repositoryAt(scene.world.realPath(cwd) ?? cwd) : undefined
  const isOther = here !== undefined && here.commonDir === scene.repository?.commonDir && here.top !== scene.worktree
  const options = readOptions(args, { valued: 'mFCct' })
  const isUnhooked =
    config.has('core.hookspath') ||
    (subcommand === 'config' && /hookspath/i.test(args.join(' ')) && args.length > 1 && !args.includes('--get')) ||
    (/^(?:commit|push|merge|rebase|am)$/.test(subcommand) && has(options, 'no-verify')) ||
    (subcommand === 'commit' && has(options, 'n'))
  return [isOther && changing.includes(subcommand) && 'git.main-tree', isUnhooked && 'git.hooks-off']
}
