import { defineVerb } from '@switchyard/cli-kit'
import { exitCodes } from '@switchyard/ground/failure'
import { hosts } from '@switchyard/wire/host'
import { renderSetUp, setUp } from '../install/set-up.ts'
import { parts as allParts } from '../install/setup-schema.ts'
import { agentsNamed, partsNamed } from '../install/wished.ts'

/** `scope uninstall`: takes out again what `scope setup` put in, and nothing else. Exits 3 when there is nothing. */
export const uninstall = defineVerb({
  summary: "Take scope's hooks and instructions out of the files of agents",
  flags: {
    only: { type: 'string', value: 'PARTS', summary: 'hooks, instructions, or both; else both' },
    agent: { type: 'list', value: 'NAME', summary: 'For this agent; else for all' },
    project: { type: 'boolean', summary: "In the repository's files instead of the user's" },
    print: { type: 'boolean', summary: 'Only say what would be done' },
  },
  examples: ['scope uninstall --print', 'scope uninstall --agent claude --project'],
  async run({ cwd, env, flags, output }) {
    const agents = flags.agent.length > 0 ? agentsNamed(flags.agent) : hosts
    const parts = partsNamed(flags.only, allParts)
    const scope = flags.project ? 'project' : 'user'
    const all = await setUp({ to: 'removed', parts, agents, scope, isDry: flags.print }, { cwd, env })
    const done = all.filter(({ state }) => state !== 'unchanged')
    output.list(done, { text: renderSetUp, id: ({ path }) => path, empty: 'there is nothing of scope to take out' })
    return done.length === 0 ? exitCodes.notFound : undefined
  },
})
