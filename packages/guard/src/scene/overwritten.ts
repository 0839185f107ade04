// What is asked about outside of issues too when it is written, with a tool or by a command: settings, stores, and what
// git goes by.

import type { RuleId } from '../verdict/rule-table.ts'
import { cased, isBelow, placeOf, realOf } from './places.ts'
import type { Scene } from './scene.ts'
import { isSettingsFile } from './shielded.ts'

/** The parts of git's folder that the history is made of. */
const vital = /^(?:|HEAD|index|packed-refs|(?:refs|objects)\/.*)$/i
/** The parts of git's folder that make git run something, or look elsewhere. */
const settled = /^(?:hooks|config|config\.worktree|commondir|gitdir|info\/attributes|worktrees|modules|loop)(?:\/|$)/i

/** The rule that a write to an absolute path meets, whoever writes. */
export function ruleOfOverwrite(path: string, scene: Scene): RuleId | undefined {
  const named = cased(path)
  const rules = [named, scene.world.realPath(named) ?? named].map((one) => ruleAt(one, scene))
  return rules.find((rule) => rule !== undefined)
}

function ruleAt(path: string, scene: Scene): RuleId | undefined {
  const kind = placeOf(path, scene)
  if (kind === 'store') return 'rm.store'
  if (isSettingsFile(realOf(path, scene), scene) || isSettingsFile(path, scene)) return 'rm.settings'
  return kind === 'git' ? ruleInGit(path, scene) : undefined
}

function ruleInGit(path: string, scene: Scene): RuleId | undefined {
  const { gitDir = '', commonDir = '', top = '' } = scene.repository ?? {}
  const real = realOf(path, scene)
  const folders = [gitDir, commonDir, `${top}/.git`].filter((folder) => real === folder || isBelow(real, folder))
  const rests = folders.map((folder) => real.slice(folder.length + 1))
  if (rests.some((rest) => vital.test(rest))) return 'rm.git'
  return rests.some((rest) => settled.test(rest)) ? 'git.settings' : undefined
}
