import { branchAt } from '../scene/git-files.ts'
import { isProtected } from '../scene/protected.ts'
import type { Scene } from '../scene/scene.ts'
import { type Command, nameOf } from '../shell/command.ts'
import { readGit } from '../shell/git-call.ts'
import { readOptions } from '../shell/options.ts'
import type { PackRuleId } from '../verdict/pack-table.ts'

/** Git that rewrites what was committed or pushed, however little. */
export function strictGit(command: Command, scene: Scene): readonly PackRuleId[] {
  if (nameOf(command.argv[0] ?? '') !== 'git') return []
  const { subcommand, args, cwd } = readGit(command)
  const { flags, operands } = readOptions(args, {
    valued: subcommand === 'push' ? 'o' : 'mFCctBu',
    long: ['amend', 'merge', 'keep', 'force', 'delete', 'dry-run', 'message='],
  })
  const has = (...names: readonly string[]) => names.some((name) => flags.has(name))
  if (subcommand === 'commit') return has('amend') ? ['strict-git.amend'] : []
  if (subcommand === 'reset') return has('merge', 'keep') ? ['strict-git.reset'] : []
  if (subcommand === 'tag') return has('d', 'delete', 'f', 'force') ? ['strict-git.tag'] : []
  if (subcommand === 'branch') return has('f', 'force', 'M', 'C') ? ['strict-git.branch-force'] : []
  if (subcommand === 'checkout') return has('B') ? ['strict-git.branch-force'] : []
  if (subcommand === 'switch') return has('C', 'force-create') ? ['strict-git.branch-force'] : []
  if (subcommand !== 'push' || has('n', 'dry-run')) return []
  const specs = operands.length > 1 ? operands.slice(1) : [branchAt(cwd, scene.world) ?? '']
  const targets = specs.map((spec) => spec.replace(/^\+?(?:[^:]*:)?(?:refs\/heads\/)?/, ''))
  const named = targets.map((target) => (target === 'HEAD' ? (branchAt(cwd, scene.world) ?? '') : target))
  return named.some((target) => isProtected(target, scene)) ? ['strict-git.push-base'] : []
}
