import { renderAge } from '@switchyard/cli-kit/age'
import { counted } from '@switchyard/cli-kit/counted'
import { tableOf } from '@switchyard/cli-kit/table'
import type { AgentSummary } from '../message/agent-schema.ts'
import { inLine, type Look, paint, paintName, renderTime } from '../text/message-line.ts'

/** Topics that are named at a terminal. */
const topicsMax = 3

/** How an agent looks: in a pipe name, state, time and number of messages, role, model and topics. */
export function agentLines(agents: readonly AgentSummary[], look: Look): (agent: AgentSummary) => string {
  const columns = [
    { text: ({ name }: AgentSummary) => inLine(name, look), paint: (text: string) => paintName(text, look) },
    {
      text: ({ state }: AgentSummary) => state,
      paint: (text: string) => paint(text, text === 'active' ? 'green' : 'dim', look),
    },
    {
      text: ({ last_at }: AgentSummary) => renderAge(last_at, look.now),
      paint: (text: string) => paint(text, 'dim', look),
      isRight: true,
    },
    { text: ({ messages }: AgentSummary) => counted(messages, 'message') },
    { text: (agent: AgentSummary) => inLine(partOf(agent), look) },
    { text: (agent: AgentSummary) => inLine(topicsOf(agent), look), paint: (text: string) => paint(text, 'dim', look) },
  ] as const
  const plain = ({ name, state, last_at, messages, role, model, topics }: AgentSummary) => [
    ...[name, state, renderTime(last_at), messages],
    ...[role ?? '', model ?? '', topics.join(' ')],
  ]
  return tableOf(agents, { plain, columns }, look)
}

const partOf = ({ role, model }: AgentSummary) => [role, model && `[${model}]`].filter((part) => part).join(' ')

function topicsOf({ topics }: AgentSummary): string {
  const more = topics.length > topicsMax ? ` and ${topics.length - topicsMax} more` : ''
  return `${topics.slice(0, topicsMax).join(' ')}${more}`
}
