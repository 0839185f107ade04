import { defineVerb } from '@switchyard/cli-kit'
import { findProgram } from '@switchyard/exec'
import { type ExitCode, exitCodes } from '@switchyard/ground/failure'
import { renderSetUp, setUp } from '../install/set-up.ts'
import type { SetUp } from '../install/setup-schema.ts'
import { tmuxHint } from '../install/tmux-hint.ts'
import { agentsHere, agentsNamed, partsNamed } from '../install/wished.ts'

/** What is still to be done by a person. */
const advice: Partial<Record<SetUp['agent'], string>> = {
  codex: 'Codex runs no hook that nobody trusted: start codex, open the review of hooks, press t',
  opencode: 'the plugin is loaded by the next opencode',
}

/**
 * `scope setup`: puts the hooks of scope into the settings of agents and, when asked, instructions into the files that
 * they read. Twice is as once. With --check exits 1 when something is not there. Exits 7 for a file that is not what
 * the agent could read, which stays as it is, as do all others then.
 */
export const setup = defineVerb({
  summary: "Put scope's hooks into the settings of agents",
  flags: {
    only: {
      type: 'string',
      value: 'PARTS',
      summary: 'hooks, instructions (when to spawn, and how), or both; else hooks',
    },
    agent: { type: 'list', value: 'NAME', summary: 'For this agent; else for all that are on PATH' },
    project: { type: 'boolean', summary: "In the repository's files instead of the user's" },
    check: { type: 'boolean', summary: 'Only say whether all is there; exit 1 when it is not' },
    print: { type: 'boolean', summary: 'Only print what the files would hold' },
  },
  examples: ['scope setup --agent claude --check', 'scope setup --only hooks,instructions --agent claude --project'],
  async run({ cwd, env, flags, output }): Promise<ExitCode | undefined> {
    const where = { cwd, env }
    const parts = partsNamed(flags.only, ['hooks'])
    const agents = flags.agent.length > 0 ? agentsNamed(flags.agent) : agentsHere(where)
    const isDry = flags.check || flags.print
    const scope = flags.project ? 'project' : 'user'
    const done = await setUp({ to: 'installed', parts, agents, scope, isDry }, where)
    const text = flags.print ? ({ path, content }: SetUp) => `# ${path}\n${content ?? ''}` : renderSetUp
    output.list(done, { text, id: ({ path }) => path })
    if (findProgram('scope', where) === undefined) output.note('scope is not on PATH, where the hooks look for it')
    const hint = tmuxHint(where)
    if (hint !== undefined) output.note(hint)
    if (flags.check) return done.some(({ state }) => state === 'installed') ? exitCodes.failed : undefined
    for (const { part, agent, state } of done) {
      const more = advice[agent]
      if (part === 'hooks' && state === 'installed' && !isDry && more !== undefined) output.note(more)
    }
    return undefined
  },
})
