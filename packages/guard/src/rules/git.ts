// Git: what throws work away, and what moves what is not the agent's to move.
import type { Scene } from '../scene/scene.ts'
import { type Command, isKnown } from '../shell/command.ts'
import { type GitCall, readGit } from '../shell/git-call.ts'
import { readOptions } from '../shell/options.ts'
import { rulesOfPush } from './git-push.ts'
import {
  readBranch,
  readConfig,
  readFetch,
  readGc,
  readPrune,
  readReflog,
  readUpdateRef,
  rulesOfSetting,
} from './git-refs.ts'
import {
  has,
  type Read,
  type Rules,
  readCheckout,
  readClean,
  readRemove,
  readReset,
  readRestore,
  readSwitch,
  unlessOwn,
} from './git-tree.ts'
import { foundAny, type Judge } from './judge.ts'

/** git, with all that may stand before the subcommand. */
export const judgeGit: Judge = (command, scene) => {
  const call = readGit(command)
  const read = Object.hasOwn(subcommands, call.subcommand) ? subcommands[call.subcommand] : undefined
  const isBlind = !isKnown(call.subcommand) && call.args.some((arg) => /^(?:--hard|--force|-f|-fd|-fdx|-D)$/.test(arg))
  const settings = [...call.config].flatMap(([key, value]) => rulesOfSetting(key, value))
  const own = read?.(call, scene, command.stdin) ?? []
  return foundAny(command, [
    ...own,
    ...(call.subcommand === 'push' ? settings : []),
    ...rulesOfIssue(call, scene, command.env),
    isBlind && 'shell.dynamic',
  ])
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
  reflog: readReflog,
  gc: readGc,
  prune: readPrune,
  config: readConfig,
  'filter-branch': () => ['git.rewrite'],
  'filter-repo': ({ args }) => [!args.includes('--analyze') && !args.includes('--dry-run') && 'git.rewrite'],
  rm: readRemove,
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

/** Whether a call leaves the repository's hooks out, or switches them off. */
function isUnhooked({ subcommand, args, config }: GitCall, env: Command['env']): boolean {
  const options = readOptions(args, { valued: 'mFCct', long: ['no-verify', 'message=', 'file='] })
  const isCommitting = /^(?:commit|push|merge|rebase|am|cherry-pick|pull)$/.test(subcommand)
  return (
    config.has('core.hookspath') ||
    (subcommand === 'config' && /hookspath/i.test(args.join(' ')) && args.length > 1 && !args.includes('--get')) ||
    (isCommitting && (has(options, 'no-verify') || env.some(isSkipping))) ||
    (subcommand === 'commit' && has(options, 'n'))
  )
}

/** Variables by which the usual managers of hooks are told to leave them out. */
const isSkipping = ({ name, value }: Command['env'][number]) =>
  /^(?:HUSKY|LEFTHOOK)$/.test(name)
    ? /^(?:0|false)$/.test(value)
    : /^(?:SKIP|HUSKY_SKIP_HOOKS|PRE_COMMIT_ALLOW_NO_CONFIG)$/.test(name) && value !== ''

/** What holds of other trees while an issue is worked. */
function rulesOfIssue(call: GitCall, scene: Scene, env: Command['env']): Rules {
  const { cwd, gitDir, subcommand } = call
  const unhooked = isUnhooked(call, env)
  if (scene.worktree === undefined) return [unhooked && 'git.no-verify']
  const here = isKnown(cwd) ? scene.world.repositoryAt(scene.world.realPath(cwd) ?? cwd) : undefined
  const isOther = here !== undefined && here.commonDir === scene.repository?.commonDir && here.top !== scene.worktree
  const own = scene.world.repositoryAt(scene.worktree)
  const isOtherGit = gitDir !== undefined && isKnown(gitDir) && scene.world.realPath(gitDir) !== own?.gitDir
  return [(isOther || isOtherGit) && changing.includes(subcommand) && 'git.main-tree', unhooked && 'git.hooks-off']
}
