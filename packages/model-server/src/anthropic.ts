// Anthropic's Messages protocol: `POST /v1/messages`, as Claude Code speaks it.
import { after, contentText, fieldsOf, listOf, textOf } from './json.ts'
import type { ModelProtocol } from './protocol.ts'

export const anthropic: ModelProtocol = {
  name: 'anthropic',
  path: /^\/v1\/messages$/,
  read(body) {
    const since = after(listOf(body['messages']), ({ role }) => role === 'assistant')
    const isString = since.filter(({ content }) => typeof content === 'string').map(({ content }) => textOf(content))
    const parts = since.flatMap(({ content }) => listOf(content))
    return {
      model: textOf(body['model']),
      streams: body['stream'] === true,
      system: contentText(body['system']),
      tools: listOf(body['tools']).map(({ name }) => textOf(name)),
      said: [...isString, ...parts.filter(({ type }) => type === 'text').map(({ text }) => textOf(text))],
      results: parts.filter(({ type }) => type === 'tool_result').map(({ content }) => contentText(content)),
    }
  },
  whole({ id, model, text, calls, usage }) {
    const words = text === '' ? [] : [{ type: 'text', text }]
    const uses = calls.map(({ name, input, id }) => ({ type: 'tool_use', id, name, input }))
    return { ...emptyMessage(id, model, usage), content: [...words, ...uses], stop_reason: stopReason(calls) }
  },
  events(answer) {
    const { id, model, text, calls, usage } = answer
    const words = { start: { type: 'text', text: '' }, delta: { type: 'text_delta', text } }
    const uses = calls.map(({ name, input, id }) => ({
      start: { type: 'tool_use', id, name, input: {} },
      delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
    }))
    const blocks = [...(text === '' ? [] : [words]), ...uses].flatMap(({ start, delta }, index) => [
      { type: 'content_block_start', index, content_block: start },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    ])
    return [
      { type: 'message_start', message: emptyMessage(id, model, usage) },
      ...blocks,
      { type: 'message_delta', delta: { stop_reason: stopReason(calls), stop_sequence: null }, usage: written(usage) },
      { type: 'message_stop' },
    ].map((event) => ({ name: event.type, data: event }))
  },
  error: (status, message) => ({ type: 'error', error: { type: errorType(status), message } }),
}

const stopReason = (calls: readonly unknown[]) => (calls.length > 0 ? 'tool_use' : 'end_turn')

const written = ({ output }: { output: number }) => ({ output_tokens: output })

function emptyMessage(id: string, model: string, { input, output }: { input: number; output: number }) {
  const usage = { input_tokens: input, output_tokens: output }
  return { id, type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null, usage }
}

function errorType(status: number): string {
  const types = fieldsOf({ 400: 'invalid_request_error', 401: 'authentication_error', 429: 'rate_limit_error' })
  return textOf(types[status]) || 'api_error'
}
