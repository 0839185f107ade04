// The chat protocol that most other clients and local servers share: `POST /v1/chat/completions`, as opencode speaks it.
import { after, contentText, fieldsOf, listOf, textOf } from './json.ts'
import type { ModelAnswer, ModelProtocol } from './protocol.ts'

export const chat: ModelProtocol = {
  name: 'chat',
  path: /^(\/v1)?\/chat\/completions$/,
  read(body) {
    const messages = listOf(body['messages'])
    const since = after(messages, ({ role }) => role === 'assistant')
    const ofRole = (list: typeof messages, wanted: string) =>
      list.filter(({ role }) => role === wanted).map(({ content }) => contentText(content))
    return {
      model: textOf(body['model']),
      streams: body['stream'] === true,
      system: ofRole(messages, 'system').join('\n'),
      tools: listOf(body['tools']).map((tool) => textOf(fieldsOf(tool['function'])['name'])),
      said: ofRole(since, 'user'),
      results: ofRole(since, 'tool'),
    }
  },
  whole: (answer) => ({
    ...envelope(answer, 'chat.completion'),
    choices: [{ index: 0, message: { role: 'assistant', ...words(answer) }, finish_reason: finish(answer) }],
    usage: usageOf(answer),
  }),
  events(answer) {
    const chunk = (delta: object, finish_reason: string | null) => ({
      ...envelope(answer, 'chat.completion.chunk'),
      choices: [{ index: 0, delta, finish_reason }],
    })
    return [
      { data: chunk({ role: 'assistant', ...words(answer) }, null) },
      { data: { ...chunk({}, finish(answer)), usage: usageOf(answer) } },
      { data: '[DONE]' },
    ]
  },
  error: (status, message) => ({ error: { message, type: 'error', code: String(status) } }),
}

const finish = ({ calls }: ModelAnswer) => (calls.length > 0 ? 'tool_calls' : 'stop')

function envelope({ id, model }: ModelAnswer, object: string) {
  return { id, object, created: 0, model }
}

function words({ text, calls }: ModelAnswer) {
  const tool_calls = calls.map(({ id, name, input }, index) => ({
    index,
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
  return { content: text, ...(calls.length > 0 ? { tool_calls } : {}) }
}

function usageOf({ usage: { input, output } }: ModelAnswer) {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
}
