// What happens in a session of an agent, the same for every host. An adapter a host reads it from the host's JSON, and
// prints the answer as the JSON that host accepts.
import type { ToolUse } from '@switchyard/guard/tool-use'
import type { Host } from './host.ts'

type Common = {
  readonly host: Host
  readonly session: string
  readonly cwd: string
  /** The id of a subagent, whose events never move the loop of the session around it. */
  readonly agentId: string | undefined
  readonly agentType: string | undefined
  readonly transcript: string | undefined
}

export type HostEvent = Common &
  (
    | { readonly event: 'session-start'; readonly source: 'startup' | 'resume' | 'clear' | 'compact' }
    /** `isCleared`: the person goes on in the same window, with a new session. */
    | { readonly event: 'session-end'; readonly isCleared: boolean }
    | { readonly event: 'pre-tool'; readonly tool: ToolUse }
    /** `result`: what the tool gave, as JSON. */
    | { readonly event: 'post-tool'; readonly tool: ToolUse; readonly result: string }
    /** Somebody has told the agent something. */
    | { readonly event: 'prompt'; readonly prompt: string }
    /** The host tells of something; `needs`: why it waits for an answer of a person, undefined when it does not. */
    | { readonly event: 'notice'; readonly tool: ToolUse | undefined; readonly needs: string | undefined }
    /** `continued`: the agent works because a hook sent it back. `background`: it waits for work of its own. */
    | {
        readonly event: 'stop'
        readonly lastMessage: string | undefined
        readonly continued: boolean
        readonly background: boolean
      }
    | { readonly event: 'subagent-stop'; readonly lastMessage: string | undefined; readonly continued: boolean }
    | { readonly event: 'pre-compact'; readonly trigger: 'manual' | 'auto' }
    /** `resetsAt`: milliseconds since 1970, where the host says when a limit ends. */
    | {
        readonly event: 'stop-failure'
        readonly failure: 'rate-limit' | 'auth' | 'other'
        readonly resetsAt: number | undefined
      }
  )

/** What is said to the host. `warning` is for the person at the terminal. */
export type Answer = { readonly warning?: string } & (
  | { readonly do: 'allow' }
  /** Stop hooks: the agent goes on, with the reason as its instruction. */
  | { readonly do: 'block'; readonly reason: string }
  /** Tool hooks: the tool is not run. */
  | { readonly do: 'deny' | 'ask'; readonly reason: string }
  /** Session start: what the agent shall know. */
  | { readonly do: 'context'; readonly text: string }
)
