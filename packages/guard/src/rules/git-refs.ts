// Git that moves or forgets what is committed: branches, refs, reflogs, what gc throws away.
import { branchAt, isBranch } from '../scene/git-files.ts'
import { isProtected } from '../scene/protected.ts'
import type { Scene } from '../scene/scene.ts'
import { isKnown } from '../shell/command.ts'
import { readOptions } from '../shell/options.ts'
import type { RuleId } from '../verdict/rule-table.ts'
import { has, type Read } from './git-tree.ts'

export const readBranch: Read = (call, scene) => {
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
  const isMoving = has(options, 'm', 'M', 'move', 'c', 'C', 'copy')
  if (!isMoving) return [isForced && isProtected(options.operands[0] ?? '', scene) && 'git.branch-protected']
  if (!isForced && !has(options, 'M', 'C')) return []
  const target = options.operands.at(-1) ?? ''
  const source = options.operands.length > 1 ? options.operands[0] : branchAt(call.cwd, scene.world)
  const isOverwriting = source !== target && isProtected(target, scene) && isBranch(target, call.cwd, scene.world)
  return [isOverwriting && 'git.branch-protected']
}

export const readUpdateRef: Read = ({ args }, scene, stdin) => {
  const options = readOptions(args, { valued: 'm', long: ['delete', 'no-deref', 'create-reflog', 'stdin'] })
  if (has(options, 'stdin'))
    return [...new Set((stdin ?? 'delete').split(/[\n\0]/).map((line) => ruleOfLine(line, scene)))]
  const isGuarded = isProtected(branchOf(options.operands[0] ?? ''), scene)
  return [isGuarded ? 'git.branch-protected' : has(options, 'd', 'delete') && 'git.ref-delete']
}

const branchOf = (ref: string) => ref.replace(/^refs\/heads\//, '')

/** `delete refs/heads/x`, as update-ref reads it. */
function ruleOfLine(line: string, scene: Scene): RuleId | undefined {
  const [verb = '', ref = ''] = line.trim().split(/\s+/)
  if (!/^(?:delete|update|create)$/.test(verb)) return isKnown(line) ? undefined : 'git.ref-delete'
  if (ref !== '' && isKnown(ref) && verb !== 'create' && isProtected(branchOf(ref), scene))
    return 'git.branch-protected'
  return verb === 'delete' || !isKnown(ref) ? 'git.ref-delete' : undefined
}

export const readFetch: Read = ({ args }, scene) => {
  const options = readOptions(args, {
    valued: 'jo',
    long: ['force', 'depth=', 'jobs=', 'upload-pack=', 'recurse-submodules'],
  })
  const isForced = has(options, 'f', 'force')
  return options.operands.slice(1).map((spec) => {
    const target = /:(?:refs\/heads\/)?(.+)$/.exec(spec)?.[1]
    const isGuarded = target !== undefined && !target.startsWith('refs/') && isProtected(target, scene)
    return isGuarded && (isForced || spec.startsWith('+') || scene.worktree !== undefined) && 'git.branch-protected'
  })
}

/** Whether that age spares what was lost of late: days and more. */
const isLongAgo = (age: string) => /^(?:never|false|[1-9]\d*[ .]*(?:day|week|month|year)s?(?:[ .]*ago)?)$/i.test(age)

export const readReflog: Read = ({ args }) => {
  const options = readOptions(args.slice(1), { long: ['dry-run', 'expire=', 'expire-unreachable=', 'all'] })
  return [/^(?:expire|delete|drop)$/.test(args[0] ?? '') && !has(options, 'n', 'dry-run') && 'git.reflog']
}

export const readGc: Read = ({ args, config }) => {
  const { values } = readOptions(args, { long: ['prune', 'aggressive', 'auto', 'quiet', 'no-prune', 'force'] })
  const ages = [...(values.get('prune') ?? []), config.get('gc.pruneexpire') ?? 'never']
  return [ages.some((age) => !isLongAgo(age)) && 'git.reflog']
}

export const readPrune: Read = ({ args }) => [
  !has(readOptions(args, { long: ['dry-run', 'expire=', 'verbose'] }), 'n', 'dry-run') && 'git.reflog',
]

/** Settings that make what is harmless lose work later: they are judged as what they make. */
export const readConfig: Read = ({ args }) => {
  const { operands, flags } = readOptions(args, { valued: 'f', long: ['file=', 'get', 'unset', 'global', 'local'] })
  const [key = '', value] = operands[0] === 'set' ? operands.slice(1) : operands
  if (value === undefined || ['get', 'unset', 'get-all', 'list'].some((flag) => flags.has(flag))) return []
  return rulesOfSetting(key.toLowerCase(), value)
}

/** The rules that a setting of git meets, wherever it is given. */
export function rulesOfSetting(key: string, value: string): readonly (RuleId | undefined)[] {
  if (/^remote\..*\.mirror$/.test(key)) return [/^(?:true|yes|on|1)$/i.test(value) ? 'git.force-push' : undefined]
  if (/^remote\..*\.push$/.test(key)) return [/^\+/.test(value) ? 'git.force-push' : undefined]
  if (key === 'gc.pruneexpire' || key === 'gc.reflogexpireunreachable' || key === 'gc.reflogexpire')
    return [isLongAgo(value) ? undefined : 'git.reflog']
  return []
}
