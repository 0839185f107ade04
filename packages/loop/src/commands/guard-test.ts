import { resolve } from 'node:path'
import { defineVerb } from '@switchyard/cli-kit'
import { exitCodes, Failure } from '@switchyard/ground/failure'
import { said } from '@switchyard/guard/finding'
import { judgeTool } from '@switchyard/guard/judge'
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
    agent: { type: 'string', value: 'TYPE', summary: 'The type of the agent that would do it, such as reviewer' },
  },
  examples: ["loop guard test 'git push --force origin main'", 'loop guard test --tool Write --path src/a.ts'],
  async run({ args, flags, cwd, env, input, output }) {
    if ((args.command === undefined) === (flags.tool === undefined)) {
      throw new Failure('usage', 'expected a command, or --tool and --path', { hint: "loop guard test 'rm -rf /'" })
    }
    const command = args.command === '-' ? input.readAll().toString() : args.command
    const kind = command === undefined ? 'write' : 'shell'
    const tool = { name: flags.tool ?? 'Bash', kind, command, paths: flags.path } as const
    const asker = { cwd: resolve(cwd, flags.cwd ?? '.'), agentType: flags.agent }
    const { verdict, warning } = await judgeTool(tool, asker, openGuardWorld(env))
    if (warning !== undefined) output.note(warning)
    output.one(verdict, { text: shownVerdict, id: ({ decision }: Verdict) => decision })
    return verdict.decision === 'deny' || verdict.decision === 'ask' ? exitCodes.failed : exitCodes.done
  },
})

function shownVerdict(verdict: Verdict): string {
  return verdict.rule === null ? 'allow' : `${verdict.decision}: ${said(verdict)}`
}
