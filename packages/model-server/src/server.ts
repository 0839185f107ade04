// A model that says what a script says, on a port of this machine, for the real clients of several vendors.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { anthropic } from './anthropic.ts'
import { chat } from './chat.ts'
import { gemini } from './gemini.ts'
import { type Fields, fieldsOf } from './json.ts'
import type { ModelAnswer, ModelProtocol, StreamEvent } from './protocol.ts'
import { responses } from './responses.ts'
import { type ModelRequest, type Refusal, type Turn, turnChooser } from './script.ts'

const protocols = [anthropic, responses, chat, gemini]

/** A request as it came, and the place in the script of the turn that answered it; -1: none did. */
export type RecordedRequest = ModelRequest & {
  readonly protocol: ModelProtocol['name'] | undefined
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Fields
  readonly turn: number
}

export type ModelServer = {
  /** Without a path: `http://127.0.0.1:PORT`. */
  readonly url: string
  /** Every request so far, in the order of their coming. */
  readonly requests: readonly RecordedRequest[]
  close(): Promise<void>
}

const bodyBytesMax = 64 * 1024 * 1024
const unscripted = 'The script has no turn for this.'
const usage = { input: 100, output: 10 }

/** Starts to answer on a free port of the loopback. A request that no turn fits gets a text that says so. */
export async function startModelServer(script: readonly Turn[], port = 0): Promise<ModelServer> {
  const choose = turnChooser(script)
  const requests: RecordedRequest[] = []
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const body = fieldsOf(parseBody(await readBody(request)))
    const protocol = protocols.find((candidate) => candidate.path.test(path))
    const read = protocol?.read(body, path) ?? nothing
    const turn = protocol === undefined ? -1 : choose(read)
    requests.push({ ...read, protocol: protocol?.name, path, headers: request.headers, body, turn })
    if (protocol === undefined) return sendJson(response, 404, { error: { message: `no model answers at ${path}` } })
    await say(response, protocol, read, script[turn] ?? { text: unscripted }, requests.length)
  }

  const address = await listen(server, port)
  return { url: `http://127.0.0.1:${address}`, requests, close: () => close(server) }
}

const nothing: ModelRequest = { model: '', streams: false, system: '', tools: [], said: [], results: [] }

function repeated({ repeat }: Turn, { said, results }: ModelRequest): string {
  return repeat === undefined ? '' : (repeat.exec([...said, ...results].join('\n'))?.[0] ?? '')
}

async function say(response: ServerResponse, protocol: ModelProtocol, read: ModelRequest, turn: Turn, nth: number) {
  if (turn.waitMs !== undefined) await pause(turn.waitMs, undefined, { ref: false })
  const calls = (turn.calls ?? []).map((call, index) => ({ ...call, id: `call_${nth}_${index}` }))
  const text = repeated(turn, read) + (turn.text ?? '')
  const spoken: ModelAnswer = { id: `answer_${nth}`, model: read.model, text, calls, usage }
  if (turn.refuse !== undefined) return refuse(response, protocol, turn.refuse, protocol.events(spoken))
  if (!read.streams) return sendJson(response, 200, protocol.whole(spoken))
  beginStream(response)
  for (const event of protocol.events(spoken)) response.write(renderEvent(event))
  response.end()
}

function refuse(response: ServerResponse, protocol: ModelProtocol, how: Refusal, events: readonly StreamEvent[]): void {
  if (how === 'drop') {
    response.destroy()
    return
  }
  if (how === 'drop-midway') {
    beginStream(response)
    const [first] = events
    response.write(first === undefined ? '' : renderEvent(first), () => response.destroy())
    return
  }
  const error = protocol.error(how.status, how.message ?? `the script refuses with ${how.status}`)
  sendJson(response, how.status, error, how.headers)
}

function beginStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
}

function renderEvent({ name, data }: StreamEvent): string {
  const head = name === undefined ? '' : `event: ${name}\n`
  return `${head}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request) {
    const buffer = Buffer.from(piece)
    bytes += buffer.length
    if (bytes > bodyBytesMax) throw new Error(`expected a request of at most ${bodyBytesMax} bytes`)
    pieces.push(buffer)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return {}
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()))
    server.closeAllConnections()
  })
}
