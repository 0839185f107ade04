// What a scripted model says: a list of turns, and which of them answers a request.

/** A tool that the model asks for. */
export type ToolCall = { readonly name: string; readonly input: Readonly<Record<string, unknown>> }

/** What goes wrong instead of an answer: a status with its headers, the connection cut at once, or in the middle. */
export type Refusal =
  | { readonly status: number; readonly message?: string; readonly headers?: Readonly<Record<string, string>> }
  | 'drop'
  | 'drop-midway'

/** What a request must be like to be answered by a turn; each part that is left out is always met. */
type Expected = {
  /** Found in what the user (or a hook in the user's name) said since the model spoke last. */
  readonly user?: RegExp
  /** Found in a tool's result since the model spoke last. */
  readonly result?: RegExp
  readonly system?: RegExp
  /** Whether tools are offered; requests for a title offer none. */
  readonly tools?: boolean
}

/** One answer: text, tool calls, or both, after `waitMs`; or a refusal. */
export type Turn = {
  readonly when?: Expected
  readonly text?: string
  /** The part of the request that it finds is said before the text: an id that the script cannot know. */
  readonly repeat?: RegExp
  readonly calls?: readonly ToolCall[]
  readonly refuse?: Refusal
  readonly waitMs?: number
  /** How many requests it answers before it is used up; 1 when not said. */
  readonly times?: number
}

/** A request of whichever protocol, as far as a script looks at it. */
export type ModelRequest = {
  readonly model: string
  readonly streams: boolean
  readonly system: string
  readonly tools: readonly string[]
  /** Texts of the user, of the system and of tools since the model spoke last, oldest first. */
  readonly said: readonly string[]
  readonly results: readonly string[]
}

/** Gives each request the first turn that fits and is not used up: its place in the script, or -1. */
export function turnChooser(script: readonly Turn[]): (request: ModelRequest) => number {
  const left = script.map(({ times }) => times ?? 1)
  return (request) => {
    const place = script.findIndex(({ when = {} }, index) => (left[index] ?? 0) > 0 && fits(request, when))
    if (place >= 0) left[place] = (left[place] ?? 0) - 1
    return place
  }
}

function fits({ said, results, system, tools }: ModelRequest, when: Expected): boolean {
  if (when.user !== undefined && !isIn(when.user, said)) return false
  if (when.result !== undefined && !isIn(when.result, results)) return false
  if (when.system !== undefined && !isIn(when.system, [system])) return false
  return when.tools === undefined || when.tools === tools.length > 0
}

/** Without regard to where an earlier search of a global pattern ended. */
function isIn(pattern: RegExp, texts: readonly string[]): boolean {
  return texts.some((text) => text.search(pattern) >= 0)
}
