import { resolve } from 'node:path'
import { defineVerb } from '@switchyard/cli-kit'
import { exitCodes, Failure } from '@switchyard/ground/failure'
import { explainCommand, shownExplanation } from '@switchyard/guard/explain'
import { isRule } from '@switchyard/guard/rule-table'
import { readScene } from '@switchyard/guard/scene'
import { openGuardWorld } from '../config/guard-world.ts'

/** `loop guard explain`: the simple commands the guard sees in a line of shell, and the rules they meet. Exits like test. */
export const guardExplain = defineVerb({
  summary: 'Show the commands that the guard sees in a line of shell, and the rules they meet',
  args: [{ name: 'command', summary: 'A line of shell, - for stdin' }],
  flags: {
    cwd: { type: 'string', value: 'DIR', summary: 'Where it would run, instead of here' },
  },
  examples: ["loop guard explain 'cd src && sudo rm -rf ..'"],
  async run({ args, flags, cwd, env, input, output }) {
    const command = args.command === '-' ? input.readAll().toString() : args.command
    if (isRule(command)) {
      throw new Failure('usage', `expected a line of shell, ${command} is a rule`, {
        hint: 'loop guard rules says what each is for',
      })
    }
    const scene = readScene(resolve(cwd, flags.cwd ?? '.'), openGuardWorld(env))
    if (scene.settings.warning !== undefined) output.note(scene.settings.warning)
    const explanation = explainCommand(command, scene)
    output.one(explanation, { text: shownExplanation, id: ({ verdict }) => verdict.decision })
    return ['deny', 'ask'].includes(explanation.verdict.decision) ? exitCodes.failed : exitCodes.done
  },
})
