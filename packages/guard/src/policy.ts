import { isWorker } from './scene/is-worker.ts'
import type { Scene } from './scene/scene.ts'
import type { OwnRule } from './scene/settings.ts'
import type { Spend } from './shell/budget.ts'
import { type Command, nameOf, shownCommand } from './shell/command.ts'
import { fitsStars } from './shell/glob.ts'
import type { Finding } from './verdict/finding.ts'
import { isWeaker } from './verdict/loosening.ts'
import { raisedBy } from './verdict/pack-table.ts'
import { type RuleId, ruleTable } from './verdict/rule-table.ts'
import type { Verdict } from './verdict/verdict.ts'

const shielded: readonly RuleId[] = ['rm.store', 'rm.settings', 'git.settings', 'loop.disarm', 'loop.verdict']

/** What the project decides about a finding: the rule's own decision, unless loop.json has another. */
export function verdictOf({ rule, at }: Finding, scene: Scene): Verdict {
  const { decision, reason } = ruleTable[rule]
  const wanted = scene.settings.rules.get(rule)
  const settled = wanted !== undefined && scene.isHeld && isWeaker(wanted, decision) ? undefined : wanted
  if (settled === 'off') return { decision: 'allow', rule, reason, at }
  // Within an issue nobody is there to be asked, and stores, settings and gates are not the agent's. A person may end
  // the loop of a session that works one.
  const isBound = scene.worktree !== undefined || isWorker(scene.world.env)
  const isShielded = rule === 'loop.cancel' ? isWorker(scene.world.env) : isBound && shielded.includes(rule)
  const raised = raisedBy(scene.settings.packs, rule)
  return { decision: settled ?? (isShielded ? 'deny' : (raised ?? decision)), rule, reason, at }
}

/** The verdicts of the project's own rules. */
export function verdictOfOwn(command: Command, { settings, world }: Scene): readonly Verdict[] {
  const own = settings.add.filter(
    (rule) => fits(command.argv, rule, world.spend) && settings.rules.get(rule.id) !== 'off',
  )
  return own.map(({ id, decision, reason }) => {
    const settled = settings.rules.get(id)
    return {
      decision: settled === undefined || settled === 'off' ? decision : settled,
      rule: id,
      reason,
      at: shownCommand(command.argv),
    }
  })
}

function fits(argv: readonly string[], { command, flags, has }: OwnRule, spend: Spend): boolean {
  const words = command.every((word, at) => {
    const given = argv[at]
    return given !== undefined && (word === '*' || word === given || (at === 0 && word === nameOf(given)))
  })
  return (
    words &&
    has.every((word) => argv.some((arg) => arg === word || fitsStars(arg, word, spend))) &&
    (flags.length === 0 || flags.some((flag) => argv.some((arg) => arg === flag || arg.startsWith(`${flag}=`))))
  )
}
