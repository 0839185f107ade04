// Google's protocol: `POST /v1beta/models/NAME:streamGenerateContent`, as Gemini CLI speaks it.
import { after, contentText, fieldsOf, listOf, textOf } from './json.ts'
import type { ModelAnswer, ModelProtocol } from './protocol.ts'

export const gemini: ModelProtocol = {
  name: 'gemini',
  path: /^\/v1(beta)?\/models\/[^/:]+:(streamGenerateContent|generateContent)$/,
  read(body, path) {
    const since = after(listOf(body['contents']), ({ role }) => role === 'model')
    const parts = since.flatMap((content) => listOf(content['parts']))
    const results = parts.flatMap(({ functionResponse }) => (functionResponse === undefined ? [] : [functionResponse]))
    return {
      model: /models\/([^/:]+)/.exec(path)?.[1] ?? '',
      streams: path.includes(':stream'),
      system: contentText(fieldsOf(body['systemInstruction'])['parts']),
      tools: listOf(body['tools']).flatMap(({ functionDeclarations }) =>
        listOf(functionDeclarations).map(({ name }) => textOf(name)),
      ),
      said: parts.map(({ text }) => textOf(text)).filter((text) => text !== ''),
      results: results.map((result) => JSON.stringify(fieldsOf(result)['response'] ?? '')),
    }
  },
  whole,
  events: (answer) => [{ data: whole(answer) }],
  error: (code, message) => ({ error: { code, message, status: code === 429 ? 'RESOURCE_EXHAUSTED' : 'INTERNAL' } }),
}

function whole({ id, model, text, calls, usage: { input, output } }: ModelAnswer) {
  const words = text === '' ? [] : [{ text }]
  const parts = [...words, ...calls.map(({ name, input }) => ({ functionCall: { name, args: input } }))]
  return {
    responseId: id,
    modelVersion: model,
    candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output },
  }
}
