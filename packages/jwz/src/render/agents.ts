import { renderAge } from '@switchyard/cli-kit/age'
import { gapBehind, widest } from '@switchyard/cli-kit/columns'
import { counted } from '@switchyard/cli-kit/counted'
import type { AgentSummary } from '../message/agent-schema.ts'
import { inLine, type Look, paint, paintName, renderTime } from '../text/message-line.ts'

/** Topics that are named at a terminal. */
const topicsMax = 3

function tabbed({ name, state, last_at, messages, role, model, topics }: AgentSummary, look: Look): string {
  const texts = [name, state, renderTime(last_at), String(messages), role ?? '', model ?? '', topics.join(' ')]
  return texts.map((text) => inLine(text, look)).join('\t')
}

function topicsOf({ topics }: AgentSummary): string {
  const more = topics.length > topicsMax ? ` and ${topics.length - topicsMax} more` : ''
  return `${topics.slice(0, topicsMax).join(' ')}${more}`
}

/**
 * How an agent looks: a line with spaces at a terminal, separated by tabs in a pipe (name, state, time and number of
 * messages, role, model, topics).
 */
export function agentLines(agents: readonly AgentSummary[], look: Look): (agent: AgentSummary) => string {
  if (!look.isTerminal) return (agent) => tabbed(agent, look)
  const width = widest(agents.map(({ name }) => inLine(name, look)))
  return (agent) => {
    const { name, state, last_at, messages, role, model } = agent
    const shown = inLine(name, look)
    const as = [role, model && `[${model}]`].filter((part) => part).join(' ')
    const parts = [
      `${paintName(shown, look)}${gapBehind(shown, width)}`,
      paint(state.padEnd('retired'.length), state === 'active' ? 'green' : 'dim', look),
      paint(renderAge(last_at, look.now).padStart('59m ago'.length), 'dim', look),
      counted(messages, 'message'),
      inLine(as, look),
      paint(inLine(topicsOf(agent), look), 'dim', look),
    ]
    return parts.filter((part) => part).join('  ')
  }
}
