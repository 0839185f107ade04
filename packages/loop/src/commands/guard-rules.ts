import { resolve } from 'node:path'
import { defineVerb } from '@switchyard/cli-kit'
import { inColumns } from '@switchyard/cli-kit/table'
import { type ListedRule, listRules } from '@switchyard/guard/list-rules'
import { readScene } from '@switchyard/guard/scene'
import { openGuardWorld } from '../config/guard-world.ts'

/** `loop guard rules`: every rule as it holds here, what loop.json changed and added among them. */
export const guardRules = defineVerb({
  summary: "List the guard's rules, with what loop.json changed",
  flags: {
    cwd: { type: 'string', value: 'DIR', summary: 'The project whose loop.json counts, instead of this one' },
  },
  examples: ['loop guard rules', 'loop guard rules --jsonl'],
  async run({ flags, cwd, env, output }) {
    const { settings } = readScene(resolve(cwd, flags.cwd ?? '.'), openGuardWorld(env))
    if (settings.warning !== undefined) output.note(settings.warning)
    const rules = listRules(settings)
    const columns = [
      { text: ({ rule }: ListedRule) => rule },
      { text: ({ decision }: ListedRule) => decision },
      { text: shownWhat },
    ]
    output.list(rules, { text: inColumns(rules, columns), id: ({ rule }) => rule })
    return undefined
  },
})

function shownWhat({ decision, builtin, what }: ListedRule): string {
  const change = builtin === null ? ' (of this project)' : builtin === decision ? '' : ` (built in: ${builtin})`
  return `${what}${change}`
}
