// Who is there: computed from what was said, at reading; nobody has to sign on or off.
import { isExpired, type Message, type Store } from '@switchyard/topic'
import type { Sparing } from '../store/many-topics.ts'
import type { AgentSummary } from './agent-schema.ts'
import { newestFirst } from './select.ts'

/** Without a word for this long an agent is idle. */
const activeMs = 15 * 60_000
/** Without a word for this long it has retired. */
export const retiredMs = 24 * 3_600_000

/** `since` and `now` are milliseconds since 1970; what is older than `since` is not read. */
type Survey = {
  store: Store
  topics: readonly string[]
  sparing: Sparing
  since: number | undefined
  now: number
  onSkipped: () => void
}

function stateOf(lastAt: number, now: number): AgentSummary['state'] {
  if (now - lastAt < activeMs) return 'active'
  return now - lastAt < retiredMs ? 'idle' : 'retired'
}

function* spoken({ store, topics, sparing, since, now, onSkipped }: Survey): Generator<Message> {
  const isMeant = (message: Message) => (since === undefined || message.at >= since) && !isExpired(message, now)
  const filter = { isMeant, since, voidToo: false, mark: ({ message }: { message: Message }) => message }
  for (const topic of topics) yield* sparing(topic, () => newestFirst({ store, topic, filter, onSkipped }))
}

/** What is known of an agent so far; `role` and `model` are its newest messages that have one. */
type Known = {
  last_at: number
  messages: number
  topics: Map<string, number>
  role: Message | undefined
  model: Message | undefined
}

function newer(known: Message | undefined, message: Message): Message {
  return known && known.at >= message.at ? known : message
}

function unknownSince(at: number): Known {
  return { last_at: at, messages: 0, topics: new Map(), role: undefined, model: undefined }
}

function takeIn(known: Known, message: Message): void {
  const { at, topic, role, model } = message
  known.messages += 1
  known.last_at = Math.max(known.last_at, at)
  known.topics.set(topic, Math.max(known.topics.get(topic) ?? at, at))
  if (role !== undefined) known.role = newer(known.role, message)
  if (model !== undefined) known.model = newer(known.model, message)
}

/** Everybody who has spoken since then, who spoke last first, each with the topics it spoke on, newest first. */
export function surveyAgents(survey: Survey): AgentSummary[] {
  const agents = new Map<string, Known>()
  for (const message of spoken(survey)) {
    const known = agents.get(message.from) ?? unknownSince(message.at)
    agents.set(message.from, known)
    takeIn(known, message)
  }
  return [...agents]
    .map(([name, { last_at, messages, topics, role, model }]) => ({
      v: 1 as const,
      name,
      state: stateOf(last_at, survey.now),
      last_at,
      messages,
      topics: [...topics].sort((left, right) => right[1] - left[1]).map(([topic]) => topic),
      role: role?.role ?? null,
      model: model?.model ?? null,
    }))
    .sort((left, right) => right.last_at - left.last_at)
}
