import type { Fields } from './json.ts'
import type { ModelRequest, ToolCall } from './script.ts'

/** What a turn says, with the ids that a protocol needs. */
export type ModelAnswer = {
  readonly id: string
  readonly model: string
  readonly text: string
  readonly calls: readonly (ToolCall & { readonly id: string })[]
  readonly usage: { readonly input: number; readonly output: number }
}

/** One event of a stream; `name` where the protocol names its events. */
export type StreamEvent = { readonly name?: string; readonly data: unknown }

/** How one vendor's clients talk to its model. */
export type ModelProtocol = {
  readonly name: 'anthropic' | 'responses' | 'chat' | 'gemini'
  readonly path: RegExp
  read(body: Fields, path: string): ModelRequest
  whole(answer: ModelAnswer): unknown
  events(answer: ModelAnswer): readonly StreamEvent[]
  error(status: number, message: string): unknown
}
