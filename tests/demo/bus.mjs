// The live bus, a message a line, for people: when, from which tool and worker, what.
import { start } from './processes.mjs'

const columnsMax = 150

/** What says again, from the tracker or ahead of time, what the next message of the loop says. */
const repeatedEvents = ['claiming', 'landing', 'began', 'decided']
const repeatedTypes = ['claimed', 'released', 'commented']

function isShown({ topic, data }) {
  const kind = data?.event ?? data?.type
  return topic.startsWith('loop:') ? !repeatedEvents.includes(kind) : !repeatedTypes.includes(kind)
}

/** The line of a message of `jwz follow --jsonl`. */
export function renderMessage({ at, topic, from, body }) {
  const worker = /^loop-\w+-(\d+)$/.exec(from)?.[1]
  const who = worker === undefined ? topic.split(':')[0] : `worker ${worker}`
  const text = body
    .split('\n')[0]
    .replace(/loop-[0-9a-z]{26}-(\d+)/g, 'worker $1')
    .replace(/ until \d{4}-\S+Z/, '')
    .replace(/^run [0-9a-z]{26}: /, '')
  const time = new Date(at).toISOString().slice(11, 19)
  const line = `  ${time}  ${who.padEnd(8)}  ${text}`
  return line.length <= columnsMax ? line : `${line.slice(0, columnsMax - 1)}…`
}

/** Prints the bus from now on. The result stops it, once what was posted until then is printed. */
export function followBus(topics, { print, ...options }) {
  const { child, done } = start('jwz', ['follow', ...topics, '--jsonl'], { ...options, output: 'pipe' })
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (block) => {
    const lines = (rest + block).split('\n')
    rest = lines.pop()
    for (const message of lines.map((line) => JSON.parse(line)).filter(isShown)) print(renderMessage(message))
  })
  return async () => {
    await new Promise((resolve) => setTimeout(resolve, 300))
    child.kill('SIGTERM')
    await done
  }
}
