// OpenAI's Responses protocol: `POST /v1/responses`, as Codex speaks it.
import { after, contentText, listOf, textOf } from './json.ts'
import type { ModelAnswer, ModelProtocol } from './protocol.ts'

export const responses: ModelProtocol = {
  name: 'responses',
  path: /^(\/v1)?\/responses$/,
  read(body) {
    const input = typeof body['input'] === 'string' ? [{ role: 'user', content: body['input'] }] : body['input']
    const since = after(listOf(input), ({ type, role }) => role === 'assistant' || type === 'function_call')
    const isResult = ({ type }: { type?: unknown }) => /_call_output$/.test(textOf(type))
    return {
      model: textOf(body['model']),
      streams: body['stream'] === true,
      system: textOf(body['instructions']),
      tools: listOf(body['tools']).map(({ name, type }) => textOf(name) || textOf(type)),
      said: since.filter((item) => !isResult(item)).map(({ content }) => contentText(content)),
      results: since.filter(isResult).map(({ output }) => contentText(output)),
    }
  },
  whole,
  events(answer) {
    const response = whole(answer)
    const items = response.output.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item },
      ...(item.type === 'message'
        ? [{ type: 'response.output_text.delta', item_id: item.id, output_index, content_index: 0, delta: answer.text }]
        : []),
      { type: 'response.output_item.done', output_index, item },
    ])
    return [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      ...items,
      { type: 'response.completed', response },
    ].map((event, sequence_number) => ({ name: event.type, data: { ...event, sequence_number } }))
  },
  error: (status, message) => ({ error: { type: status === 429 ? 'rate_limit_exceeded' : 'server_error', message } }),
}

function whole({ id, model, text, calls, usage }: ModelAnswer) {
  const content = [{ type: 'output_text', text, annotations: [] }]
  const words = { type: 'message' as const, id: `${id}-text`, role: 'assistant', status: 'completed', content }
  const uses = calls.map((call) => ({
    type: 'function_call' as const,
    id: `${call.id}-item`,
    call_id: call.id,
    name: call.name,
    arguments: JSON.stringify(call.input),
    status: 'completed',
  }))
  return {
    id,
    object: 'response',
    model,
    status: 'completed',
    output: [...(text === '' ? [] : [words]), ...uses],
    usage: {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.input + usage.output,
    },
  }
}
