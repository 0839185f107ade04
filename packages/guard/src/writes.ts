import { join, normalize } from 'node:path'
import { verdictOf } from './policy.ts'
import { isKept } from './scene/kept.ts'
import { ruleOfOverwrite } from './scene/overwritten.ts'
import { isBelow, placeOf, realOf } from './scene/places.ts'
import type { Scene } from './scene/scene.ts'
import type { Finding } from './verdict/finding.ts'
import type { RuleId } from './verdict/rule-table.ts'
import type { Verdict } from './verdict/verdict.ts'

/** Paths that a tool would write, as the host gave them. Outside of an issue most are the host's business. */
export function judgeWrites(paths: readonly string[], scene: Scene): readonly Verdict[] {
  return paths.flatMap((path) => {
    const rule = ruleOfWrite(path.startsWith('/') ? path : join(scene.cwd, path), scene)
    const finding: Finding[] = rule === undefined ? [] : [{ rule, at: path }]
    return finding.map((one) => verdictOf(one, scene))
  })
}

/** The rule that a write to an absolute path meets: loop's own folder, stores and settings anywhere, all else within an issue. */
export function ruleOfWrite(path: string, scene: Scene): RuleId | undefined {
  const { worktree } = scene
  if (isKept(path, scene)) return 'machine.key'
  const plain = normalize(path)
  if (/^\/dev\/(?:null|zero|full|tty|stdin|stdout|stderr|fd\/|shm\/)/.test(plain)) return undefined
  if (worktree === undefined) return ruleOfOverwrite(plain, scene)
  const kind = placeOf(plain, scene)
  if (kind === 'git' || kind === 'store') return 'issue.store'
  if (kind === 'settings') return 'issue.settings'
  if (kind === 'temporary') return undefined
  if (/\/\.husky(?:\/|$)/i.test(plain)) return 'git.hooks-off'
  const real = realOf(plain.replace(/(.)\/$/, '$1'), scene)
  return real === worktree || isBelow(real, worktree) ? undefined : 'issue.outside'
}
