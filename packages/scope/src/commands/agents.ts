import { defineVerb } from '@switchyard/cli-kit'
import type { Column } from '@switchyard/cli-kit/table'
import { tableOf } from '@switchyard/cli-kit/table'
import type { AgentRecord } from '../agents/agent-schema.ts'
import { surveyAgents } from '../agents/survey.ts'

const abilities = ['terminal', 'hooks', 'resume', 'cost'] as const

/** `scope agents`: the agents that scope knows, which of them are installed, how they were found, and what they can do. */
export const agents = defineVerb({
  summary: 'List the agents: which are installed, where, and what they can do',
  flags: { installed: { type: 'boolean', summary: 'Only those that are there' } },
  examples: ['scope agents', 'scope agents --installed --quiet'],
  async run({ flags, output, cwd, env }) {
    const all = await surveyAgents({ cwd, env })
    const shown = flags.installed ? all.filter(({ installed }) => installed) : all
    const text = tableOf(shown, { plain: plainOf, columns }, output)
    output.list(shown, { text, id: ({ agent }) => agent, empty: 'no agent is installed' })
    return undefined
  },
})

const abilitiesOf = ({ can }: AgentRecord) => abilities.filter((name) => can[name]).join(' ')

const plainOf = (record: AgentRecord) => [record.agent, record.path ?? '', record.version ?? '', abilitiesOf(record)]

const columns: readonly Column<AgentRecord>[] = [
  { text: ({ agent }) => agent },
  { text: ({ path }) => path ?? 'not installed' },
  { text: ({ version }) => version ?? '', cellsMax: 30 },
  { text: abilitiesOf },
]
