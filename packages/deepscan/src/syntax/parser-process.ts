import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** What a parser process answered, or why there is no answer: it ended at this text, or took too long. */
type ParserAnswer = { answer: string } | { lost: string }

/** Processes that parse, so that a grammar which aborts takes one answer with it and not the tool. */
export type ParserPool = {
  /** Sends a request as one line of JSON to a process; gives back its line. */
  ask: (request: object) => Promise<ParserAnswer>
  end: () => void
}

export type PoolSettings = {
  env: Readonly<Record<string, string | undefined>>
  processes: number
  deadlineMs: number
  /** The verb of deepscan that answers (`parse`), and what the engine that runs it is told. */
  verb?: string
  engineFlags?: readonly string[]
}

/** Starts processes when they are first needed. */
export function openParserPool(settings: PoolSettings): ParserPool {
  const lanes = Array.from({ length: settings.processes }, () => openLane(settings))
  return {
    ask: (request) => {
      const free = lanes.reduce((best, lane) => (lane.waiting() < best.waiting() ? lane : best))
      return free.ask(`${JSON.stringify(request)}\n`)
    },
    end: () => {
      for (const lane of lanes) lane.end()
    },
  }
}

type Waiting = { line: string; done: (answer: ParserAnswer) => void }
type Lane = { ask: (line: string) => Promise<ParserAnswer>; waiting: () => number; end: () => void }

/** One process at a time, one request at a time: when it ends, the request that it was at is the cause. */
function openLane({ env, deadlineMs, verb = 'parse', engineFlags = [] }: PoolSettings): Lane {
  const queue: Waiting[] = []
  let child: ChildProcess | undefined
  let timer: NodeJS.Timeout | undefined

  const finish = (answer: ParserAnswer) => {
    clearTimeout(timer)
    queue.shift()?.done(answer)
    if (queue.length > 0) sendFirst()
  }
  const sendFirst = () => {
    child ??= startChild()
    child.stdin?.write(queue[0]?.line ?? '')
    timer = setTimeout(() => child?.kill('SIGKILL'), deadlineMs)
  }
  const startChild = () => {
    const tool = join(__dirname, '..', 'bin', 'deepscan.cjs')
    const started = spawn(process.execPath, [...engineFlags, tool, verb], { env, stdio: ['pipe', 'pipe', 'ignore'] })
    const lines = createInterface({ input: started.stdout })
    lines.on('line', (answer) => finish({ answer }))
    started.stdin.on('error', () => undefined)
    let isOver = false
    const over = (lost: string) => {
      if (isOver) return
      isOver = true
      if (child === started) child = undefined
      if (queue.length > 0) finish({ lost })
    }
    started.on('error', ({ message }) => over(message))
    started.on('close', (code, signal) =>
      over(`${verb === 'parse' ? 'the parser' : 'it'} ended with ${signal ?? `exit ${code}`}`),
    )
    return started
  }
  return {
    waiting: () => queue.length,
    ask: (line) =>
      new Promise((done) => {
        queue.push({ line, done })
        if (queue.length === 1) sendFirst()
      }),
    end: () => {
      child?.stdin?.end()
    },
  }
}
