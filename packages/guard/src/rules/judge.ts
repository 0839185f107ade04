import type { Scene } from '../scene/scene.ts'
import { type Command, shownCommand } from '../shell/command.ts'
import type { Finding } from '../verdict/finding.ts'
import type { RuleId } from '../verdict/rule-table.ts'

/** Which rules a command meets. */
export type Judge = (command: Command, scene: Scene) => readonly Finding[]

/** The findings of a command, by their rules. */
export function found(command: Command, ...rules: readonly (RuleId | undefined | false)[]): readonly Finding[] {
  return foundAny(command, rules)
}

/** One finding for each rule that holds, however many words of the command it holds for. */
export function foundAny(command: Command, rules: readonly (RuleId | undefined | false)[]): readonly Finding[] {
  const at = shownCommand(command.argv)
  return [...new Set(rules)].flatMap((rule) => (rule === undefined || rule === false ? [] : [{ rule, at }]))
}
