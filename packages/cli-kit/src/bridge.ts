// One process that answers many command lines, so that who calls often pays one start.

import { Failure } from '@switchyard/ground/failure'
import { answerOutput, type BridgeAnswer, inputOf } from './bridge-answer.ts'
import { idOf, parseRequest, type Request, type RequestId } from './bridge-request.ts'
import type { Context } from './context.ts'
import { describeError } from './failure-report.ts'
import { isReaderGone } from './stdio.ts'
import { defineVerb, type Verb } from './verb.ts'

/** Bytes a request may have: a body of 64 MiB that is all escapes is longer, and does not belong here. */
const requestBytesMax = 128 * 1024 * 1024

/** What all requests share. */
type Session = {
  readonly world: Context
  readonly tell: (answer: BridgeAnswer) => void
  readonly running: Map<RequestId, AbortController>
}

/**
 * The verb `bridge`. Requests run in the order they come, each after the one before has ended; one that waits for
 * something (it asks for `interrupted`) runs beside those that follow. What still runs when stdin ends is cancelled.
 */
export function bridgeOf(tool: string): Verb {
  return defineVerb({
    summary: 'Answer command lines that come on stdin, one JSON object a line',
    examples: [`echo '{"id":1,"argv":["version"]}' | ${tool} bridge`],
    async run(world) {
      const tell = (answer: BridgeAnswer) => world.output.raw(`${JSON.stringify(answer)}\n`)
      const session: Session = { world, tell, running: new Map() }
      const ends = new Set<Promise<void>>()
      for await (const line of world.input.linesAsync(requestBytesMax)) {
        const request = readRequest(line, tell)
        if (request === undefined) continue
        if ('cancel' in request) {
          session.running.get(request.cancel)?.abort(new Failure('interrupted', 'cancelled'))
          continue
        }
        const { end, isAside } = begin(session, request)
        ends.add(end)
        end.finally(() => ends.delete(end))
        await Promise.race([end, isAside])
      }
      for (const controller of session.running.values()) controller.abort(new Failure('interrupted', 'stdin ended'))
      await Promise.all(ends)
      return undefined
    },
  })
}

function readRequest(line: Uint8Array, tell: Session['tell']): Request | undefined {
  if (line.length === 0) return undefined
  try {
    return parseRequest(line)
  } catch (error) {
    tell({ id: idOf(line), ...describeError(error) })
    return undefined
  }
}

type Begun = {
  /** Resolves when the request has been answered. */
  end: Promise<void>
  /** Resolves when it waits for something, so that others may run. */
  isAside: Promise<void>
}

function begin(session: Session, request: Exclude<Request, { cancel: RequestId }>): Begun {
  const { running, tell } = session
  if (running.has(request.id)) {
    tell({
      id: request.id,
      ...describeError(new Failure('usage', 'expected an id of its own, got one that still runs')),
    })
    return { end: Promise.resolve(), isAside: Promise.resolve() }
  }
  const controller = new AbortController()
  running.set(request.id, controller)
  let stepAside: () => void = () => undefined
  const isAside = new Promise<void>((resolve) => {
    stepAside = resolve
  })
  const interrupted = () => {
    stepAside()
    return controller.signal
  }
  const end = perform(session, request, interrupted).finally(() => running.delete(request.id))
  return { end, isAside }
}

async function perform(
  { world, tell }: Session,
  { id, argv, stdin }: Exclude<Request, { cancel: RequestId }>,
  interrupted: () => AbortSignal,
): Promise<void> {
  const { output, result } = answerOutput(id, tell)
  try {
    const code = await world.perform(argv, { output, input: inputOf(stdin), interrupted })
    tell({ id, code, ...result() })
  } catch (error) {
    // The reader of the bridge's own stdout: nobody is left to be answered.
    if (isReaderGone(error)) throw error
    tell({ id, ...describeError(error) })
  }
}
