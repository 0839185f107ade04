import { afterEach, describe, expect, it } from 'vitest'
import type { Turn } from '../src/script.ts'
import { type ModelServer, startModelServer } from '../src/server.ts'

const servers: ModelServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function started(script: readonly Turn[]): Promise<ModelServer> {
  const server = await startModelServer(script)
  servers.push(server)
  return server
}

function post(server: ModelServer, path: string, body: unknown): Promise<Response> {
  return fetch(`${server.url}${path}`, { method: 'POST', body: JSON.stringify(body) })
}

const ask = (content: unknown) => ({ model: 'm', messages: [{ role: 'user', content }] })

/** The `data:` of a stream, parsed, in order. */
async function streamed(response: Response): Promise<unknown[]> {
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: '))
  return lines.map((line) => line.slice('data: '.length)).map((data) => (data === '[DONE]' ? data : JSON.parse(data)))
}

describe('the scripted model', () => {
  it('answers in the order of the script, and says when the script is at its end', async () => {
    const server = await started([{ text: 'one' }, { text: 'two' }])
    const texts = []
    for (const question of ['a', 'b', 'c']) {
      const answer = await post(server, '/v1/messages', ask(question))
      texts.push(JSON.parse(await answer.text()).content[0].text)
    }
    expect(texts).toEqual(['one', 'two', 'The script has no turn for this.'])
    expect(server.requests.map(({ turn, said }) => [turn, said])).toEqual([
      [0, ['a']],
      [1, ['b']],
      [-1, ['c']],
    ])
  })

  it('chooses by what was said, by results, by the system prompt and by tools', async () => {
    const server = await started([
      { when: { result: /exit 0/ }, text: 'it worked' },
      { when: { system: /summary/ }, text: 'a summary' },
      { when: { user: /title/, tools: false }, text: 'a title' },
      { when: { user: /hello/ }, text: 'hi', times: 2 },
    ])
    const result = [{ type: 'tool_result', tool_use_id: 'x', content: [{ type: 'text', text: 'exit 0' }] }]
    const bodies = [
      ask('hello'),
      ask('a title, please'),
      { ...ask('hello'), system: [{ type: 'text', text: 'write a summary' }] },
      {
        ...ask(result),
        messages: [
          { role: 'user', content: 'hello' },
          { role: 'assistant', content: 'x' },
          { role: 'user', content: result },
        ],
      },
      ask('hello'),
      ask('hello'),
    ]
    for (const body of bodies) await post(server, '/v1/messages', body)
    expect(server.requests.map(({ turn }) => turn)).toEqual([3, 2, 1, 0, 3, -1])
  })

  it('streams text and a tool call as the Messages protocol has them', async () => {
    const server = await started([{ text: 'Look:', calls: [{ name: 'Bash', input: { command: 'ls' } }] }])
    const events = await streamed(await post(server, '/v1/messages', { ...ask('go'), stream: true }))
    expect(events).toMatchObject([
      { type: 'message_start', message: { role: 'assistant', content: [] } },
      { type: 'content_block_start', index: 0 },
      { type: 'content_block_delta', delta: { type: 'text_delta', text: 'Look:' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', name: 'Bash' } },
      { type: 'content_block_delta', delta: { partial_json: '{"command":"ls"}' } },
      { type: 'content_block_stop', index: 1 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      { type: 'message_stop' },
    ])
  })

  it('streams text and a tool call as the Responses protocol has them', async () => {
    const server = await started([{ text: 'Look:', calls: [{ name: 'exec_command', input: { cmd: 'ls' } }] }])
    const input = [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go' }] },
      { type: 'function_call', name: 'a', call_id: 'c', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: 'done so far' },
    ]
    const events = await streamed(await post(server, '/v1/responses', { model: 'm', stream: true, input }))
    expect(events.map((event) => Object(event).type)).toEqual([
      'response.created',
      'response.output_item.added',
      'response.output_text.delta',
      'response.output_item.done',
      'response.output_item.added',
      'response.output_item.done',
      'response.completed',
    ])
    expect(events[6]).toMatchObject({
      response: {
        output: [{ content: [{ text: 'Look:' }] }, { name: 'exec_command', arguments: '{"cmd":"ls"}' }],
        usage: { input_tokens: 100, output_tokens: 10 },
      },
    })
    expect(server.requests[0]).toMatchObject({ protocol: 'responses', said: [], results: ['done so far'] })
  })

  it('speaks the chat protocol and that of Gemini', async () => {
    const call = { name: 'bash', input: { command: 'ls' } }
    const server = await started([
      { text: 'a', calls: [call] },
      { text: 'b', calls: [call] },
    ])
    const chat = await streamed(await post(server, '/v1/chat/completions', { ...ask('go'), stream: true }))
    expect(chat).toMatchObject([
      { choices: [{ delta: { content: 'a', tool_calls: [{ function: { arguments: '{"command":"ls"}' } }] } }] },
      { choices: [{ finish_reason: 'tool_calls' }], usage: { total_tokens: 110 } },
      '[DONE]',
    ])
    const contents = [{ role: 'user', parts: [{ text: 'go' }] }]
    const gemini = await streamed(await post(server, '/v1beta/models/g:streamGenerateContent?alt=sse', { contents }))
    expect(gemini).toMatchObject([
      { candidates: [{ content: { parts: [{ text: 'b' }, { functionCall: { name: 'bash', args: call.input } }] } }] },
    ])
    expect(server.requests.map(({ protocol, said }) => [protocol, said])).toEqual([
      ['chat', ['go']],
      ['gemini', ['go']],
    ])
  })

  it('refuses with a status and headers, or cuts the connection at once or in the middle', async () => {
    const server = await started([
      { refuse: { status: 429, message: 'slow down', headers: { 'retry-after': '7' } } },
      { refuse: 'drop' },
      { refuse: 'drop-midway' },
    ])
    const limited = await post(server, '/v1/messages', ask('a'))
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7'])
    expect(await limited.json()).toEqual({ type: 'error', error: { type: 'rate_limit_error', message: 'slow down' } })
    await expect(post(server, '/v1/messages', ask('b'))).rejects.toThrow()
    const cut = await post(server, '/v1/messages', { ...ask('c'), stream: true })
    await expect(cut.text()).rejects.toThrow()
  })

  it('answers 404 elsewhere, records it, and reads a body that is no JSON as empty', async () => {
    const server = await started([{ text: 'hi' }])
    expect((await post(server, '/v1/models', {})).status).toBe(404)
    const broken = await fetch(`${server.url}/v1/messages`, { method: 'POST', body: 'no json' })
    expect(broken.status).toBe(200)
    expect(server.requests.map(({ path, turn, said }) => [path, turn, said])).toEqual([
      ['/v1/models', -1, []],
      ['/v1/messages', 0, []],
    ])
  })
})
