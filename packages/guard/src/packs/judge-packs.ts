// What the packs that a project switched on say to a command.

import type { Scene } from '../scene/scene.ts'
import { type Command, shownCommand } from '../shell/command.ts'
import type { PackName } from '../verdict/pack-names.ts'
import { type PackRuleId, packTable } from '../verdict/pack-table.ts'
import type { Verdict } from '../verdict/verdict.ts'
import { data } from './data.ts'
import { secrets } from './secrets.ts'
import { strictGit } from './strict-git.ts'
import { system } from './system.ts'

const judges: ReadonlyMap<PackName, (command: Command, scene: Scene) => readonly PackRuleId[]> = new Map([
  ['strict-git', strictGit],
  ['secrets', secrets],
  ['data', data],
  ['system', system],
])

/** The verdicts of the packs that are on; a project may change their rules too. */
export function verdictsOfPacks(command: Command, scene: Scene): readonly Verdict[] {
  const { packs, rules } = scene.settings
  return packs.flatMap((pack) =>
    (judges.get(pack)?.(command, scene) ?? []).flatMap((rule) => {
      const { decision, reason } = packTable[rule]
      const settled = rules.get(rule) ?? decision
      return settled === 'off' ? [] : [{ decision: settled, rule, reason, at: shownCommand(command.argv) }]
    }),
  )
}
