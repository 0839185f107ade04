import { resolve } from 'node:path'
import { defineVerb, type Output } from '@switchyard/cli-kit'
import { type ExitCode, exitCodes, Failure } from '@switchyard/ground/failure'
import { said } from '@switchyard/guard/finding'
import { judgeTool } from '@switchyard/guard/judge'
import { isRule } from '@switchyard/guard/rule-table'
import { readScene } from '@switchyard/guard/scene'
import type { Verdict } from '@switchyard/guard/verdict'
import { openGuardWorld } from '../config/guard-world.ts'

/** `loop guard test`: what the guard would say. Exits 0 when it lets the command run, 1 when it denies or asks. */
export const guardTest = defineVerb({
  summary: 'Say what the guard thinks of a command, without running it',
  args: [{ name: 'command', summary: 'A line of shell, - for stdin', optional: true }],
  flags: {
    cwd: { type: 'string', value: 'DIR', summary: 'Where it would run, instead of here' },
    tool: { type: 'string', value: 'NAME', summary: 'A tool that writes instead of a command, with --path' },
    path: { type: 'list', value: 'PATH', summary: 'What the tool would write' },
    explain: { type: 'boolean', summary: 'The commands that it sees in the line, and the rules that each meets' },
    agent: { type: 'string', value: 'TYPE', summary: 'The type of the agent that would do it, such as reviewer' },
  },
  examples: [
    "loop guard test 'git push --force origin main'",
    "loop guard test --explain 'cd src && sudo rm -rf ..'",
    'loop guard test --tool Write --path src/a.ts',
  ],
  async run({ args, flags, cwd, env, input, output }) {
    if ((args.command === undefined) === (flags.tool === undefined)) {
      throw new Failure('usage', 'expected a command, or --tool and --path', { hint: "loop guard test 'rm -rf /'" })
    }
    const command = args.command === '-' ? input.readAll().toString() : args.command
    const world = openGuardWorld(env)
    const place = resolve(cwd, flags.cwd ?? '.')
    if (flags.explain) return explain(command, place, { world, output })
    const kind = command === undefined ? 'write' : 'shell'
    const tool = { name: flags.tool ?? 'Bash', kind, command, paths: flags.path } as const
    const asker = { cwd: place, agentType: flags.agent }
    const { verdict, warning } = await judgeTool(tool, asker, world)
    if (warning !== undefined) output.note(warning)
    output.one(verdict, { text: shownVerdict, id: ({ decision }: Verdict) => decision })
    return codeOf(verdict)
  },
})

type Shows = { readonly world: ReturnType<typeof openGuardWorld>; readonly output: Output }

/** The simple commands that the guard sees in a line of shell, and the rules they meet. */
async function explain(command: string | undefined, place: string, { world, output }: Shows): Promise<ExitCode> {
  if (command === undefined || isRule(command)) {
    const got = command === undefined ? '--tool has none' : `${command} is a rule`
    const hint = command === undefined ? 'leave --explain away' : 'loop guard rules says what each is for'
    throw new Failure('usage', `expected a line of shell, ${got}`, { hint })
  }
  const { explainCommand, shownExplanation } = await import('@switchyard/guard/explain')
  const scene = readScene(place, world)
  if (scene.settings.warning !== undefined) output.note(scene.settings.warning)
  const explanation = explainCommand(command, scene)
  output.one(explanation, { text: shownExplanation, id: ({ verdict }) => verdict.decision })
  return codeOf(explanation.verdict)
}

const codeOf = ({ decision }: Pick<Verdict, 'decision'>) =>
  decision === 'deny' || decision === 'ask' ? exitCodes.failed : exitCodes.done

function shownVerdict(verdict: Verdict): string {
  return verdict.rule === null ? 'allow' : `${verdict.decision}: ${said(verdict)}`
}
