import { branchAt } from '../scene/git-files.ts'
import { isClosed, isProtected } from '../scene/protected.ts'
import type { Scene } from '../scene/scene.ts'
import { isKnown } from '../shell/command.ts'
import type { GitCall } from '../shell/git-call.ts'
import { readOptions } from '../shell/options.ts'
import type { RuleId } from '../verdict/rule-table.ts'

const long = [
  'force',
  'force-with-lease',
  'force-if-includes',
  'delete',
  'mirror',
  'all',
  'branches',
  'tags',
  'prune',
  'dry-run',
  'set-upstream',
  'no-verify',
  'quiet',
  'verbose',
  'porcelain',
  'progress',
  'follow-tags',
  'atomic',
  'push-option=',
  'receive-pack=',
  'exec=',
  'repo=',
  'recurse-submodules=',
  'signed',
  'thin',
]

type Pushed = { readonly branch: string; readonly isForced: boolean; readonly isDeleted: boolean }

/** Which rules a push meets: by where it really goes, whatever way that is written. */
export function rulesOfPush({ args, cwd, config }: GitCall, scene: Scene): readonly (RuleId | undefined)[] {
  const { flags, operands } = readOptions(args, { valued: 'o', long })
  if (flags.has('n') || flags.has('dry-run')) return []
  const isForced = flags.has('f') || flags.has('force')
  const isLeased = flags.has('force-with-lease')
  if (flags.has('mirror')) return ['git.force-push']
  const isAll = flags.has('all') || flags.has('branches')
  if (isAll && (isForced || isLeased)) return ['git.force-push']
  const current = branchAt(cwd, scene.world)
  const settled = [...config].flatMap(([key, value]) => (/^remote\..*\.push$/.test(key) ? [value] : []))
  const specs = operands.length > 1 ? operands.slice(1) : settled
  if (flags.has('tags') && isForced && specs.length === 0) return ['git.force-push']
  const pushed =
    specs.length === 0 && !flags.has('tags') && !isAll
      ? [{ branch: current ?? '', isForced, isDeleted: false }]
      : specs.map((spec) => readRefspec(spec, current, { isForced, isDeleted: flags.has('d') || flags.has('delete') }))
  const rules = pushed.flatMap((one) => rulesOf(one, isLeased, scene))
  return [
    ...rules,
    ...(isAll && scene.worktree !== undefined ? (['git.push-protected'] as const) : []),
    flags.has('prune') && (isAll || specs.some((spec) => spec.includes('*'))) ? 'git.force-push' : undefined,
  ]
}

/** `+src:dst`, `:dst`, `HEAD`; the branch is what the other side calls it. */
function readRefspec(spec: string, current: string | undefined, given: Omit<Pushed, 'branch'>): Pushed {
  const bare = spec.replace(/^\+/, '')
  const colon = bare.indexOf(':')
  const source = colon < 0 ? bare : bare.slice(0, colon)
  const target = colon < 0 ? bare : bare.slice(colon + 1)
  const isDeleted = given.isDeleted || (colon === 0 && target !== '')
  const named = target === 'HEAD' || target === '@' ? (current ?? '') : target === '' ? '*' : target
  return {
    branch: named.replace(/^(?:refs\/)?heads\//, ''),
    isForced: given.isForced || spec.startsWith('+'),
    isDeleted: isDeleted && !(colon === 0 && source !== ''),
  }
}

function rulesOf(
  { branch, isForced, isDeleted }: Pushed,
  isLeased: boolean,
  scene: Scene,
): readonly (RuleId | undefined)[] {
  if (!isKnown(branch)) return [isForced || isDeleted ? 'git.dynamic' : undefined]
  const isGuarded = isProtected(branch, scene)
  if (isDeleted) return [isGuarded ? 'git.push-delete' : 'git.push-delete-branch']
  if (isGuarded && (isForced || isLeased)) return ['git.force-push']
  const isShut = isClosed(branch, scene) || (isGuarded && scene.worktree !== undefined)
  return [isForced && !isLeased ? 'git.force-push-branch' : undefined, isShut ? 'git.push-protected' : undefined]
}
