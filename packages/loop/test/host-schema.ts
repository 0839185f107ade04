// What each host accepts on stdout of a hook, from its documentation and, for Codex, its strict parser.

import type { EventName } from '@switchyard/wire/adapter'
import type { Host } from '@switchyard/wire/host'
import { z } from 'zod'

const said = z.string().regex(/\S/)
const common = {
  continue: z.boolean().optional(),
  stopReason: said.optional(),
  suppressOutput: z.boolean().optional(),
  systemMessage: said.optional(),
}

/** A stop may be blocked, and then for a reason. */
const stop = z.union([
  z.strictObject({ ...common, decision: z.literal('block'), reason: said }),
  z.strictObject(common),
])
const context = z.strictObject({
  ...common,
  hookSpecificOutput: z.strictObject({ hookEventName: z.literal('SessionStart'), additionalContext: said }).optional(),
})
const plain = z.strictObject(common)

const verdict = <Decision extends z.ZodType>(permissionDecision: Decision) =>
  z.strictObject({
    systemMessage: said.optional(),
    hookSpecificOutput: z
      .strictObject({ hookEventName: z.literal('PreToolUse'), permissionDecision, permissionDecisionReason: said })
      .optional(),
  })

const likeClaude = {
  stop,
  'subagent-stop': stop,
  'pre-compact': plain,
  'session-start': context,
  'session-end': plain,
  'post-tool': plain,
  'stop-failure': plain,
  prompt: plain,
  notice: plain,
}
const denial = z.union([z.strictObject({ ...common, decision: z.literal('deny'), reason: said }), plain])
const warning = said.optional()
const ours = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('allow'), warning }),
  z.strictObject({ do: z.enum(['block', 'deny', 'ask']), reason: said, warning }),
  z.strictObject({ do: z.literal('context'), text: said, warning }),
])

const accepted: Record<Host, (event: EventName) => z.ZodType> = {
  claude: (event) => ({ ...likeClaude, 'pre-tool': verdict(z.enum(['allow', 'deny', 'ask'])) })[event],
  codex: (event) => ({ ...likeClaude, 'pre-tool': verdict(z.literal('deny')) })[event],
  gemini: (event) => (event === 'session-start' ? context : event === 'stop' || event === 'pre-tool' ? denial : plain),
  opencode: () => ours,
}

/** What is wrong with what a hook has printed for a host; nothing when the host takes it. */
export function complaint(host: Host, event: EventName, stdout: string): string | undefined {
  // Codex takes silence for a failed hook in some versions; our own plugin always gets an answer.
  if (stdout === '') return host === 'codex' || host === 'opencode' ? 'said nothing' : undefined
  const read = accepted[host](event).safeParse(JSON.parse(stdout))
  return read.success ? undefined : `${host} refuses ${stdout}: ${read.error.message}`
}
