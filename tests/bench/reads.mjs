// What reading a topic costs as it grows: whole-process times, beside `tail`, `jq` and `grep` (or `rg`) on the same file.
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { benchPlace, has, median, printTable, tool } from './place.mjs'

const sizes = [1_000, 100_000, 1_000_000]
const spanMs = 30 * 86_400_000
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Prints the table; the median of `rounds`, but of five at most. */
export function benchReads(rounds) {
  const place = benchPlace()
  place.run(tool('jwz', 'init'))
  const now = Date.now()
  const topics = sizes.map((messages) => ({ messages, ...writeTopic(place.folder, messages, now) }))
  const searcher = has('rg') ? 'rg' : 'grep'
  const ways = {
    'jwz latest': ({ topic }) => tool('jwz', 'latest', topic),
    'jwz read --limit 20': ({ topic }) => tool('jwz', 'read', topic, '--limit', '20'),
    'jwz read --since 1h': ({ topic }) => tool('jwz', 'read', topic, '--since', '1h'),
    'jwz show ID': ({ id }) => tool('jwz', 'show', id),
    'jwz search --topic': ({ topic }) => tool('jwz', 'search', 'needle', '--topic', topic),
    'tail -n 20': ({ file }) => ['tail', '-n', '20', file],
    ...(has('jq') ? { 'tail -n 20 | jq': ({ file }) => ['sh', '-c', `tail -n 20 '${file}' | jq -r .body`] } : {}),
    ...(has('jq') ? { 'jq select(.id == ID)': ({ file, id }) => ['jq', '-c', `select(.id == "${id}")`, file] } : {}),
    [`${searcher} needle`]: ({ file }) => [searcher, 'needle', file],
  }
  const rows = Object.entries(ways).map(([name, command]) => [
    name,
    ...topics.map((topic) => {
      const times = Array.from({ length: Math.min(rounds, 5) }, () => place.milliseconds(command(topic)))
      return median(times).toFixed(0)
    }),
  ])
  console.log('Reads: whole-process milliseconds by the number of messages in the topic\n')
  printTable(['command', ...sizes.map((size) => size.toLocaleString('en-US'))], rows)
  place.leave()
}

/** A topic of so many messages over thirty days, one of which, in the middle, has the word `needle`. */
function writeTopic(folder, messages, now) {
  const topic = `bench:${messages}`
  const file = join(folder, '.jwz/topics/bench', `${messages}.jsonl`)
  mkdirSync(dirname(file), { recursive: true })
  const log = openSync(file, 'w')
  let [id, lines] = ['', '']
  for (let number = 0; number < messages; number += 1) {
    const at = now - spanMs + Math.floor((number * spanMs) / messages)
    const isMiddle = number === messages >> 1
    const name = ulidLike(at, number)
    if (isMiddle) id = name
    const body = `message ${number}: ${isMiddle ? 'needle' : 'hay'}, and some more text of the length that agents write`
    lines += `${JSON.stringify({ v: 1, id: name, at, topic, from: `agent-${number % 8}`, body })}\n`
    if (lines.length > 1_000_000 || number === messages - 1) {
      writeSync(log, lines)
      lines = ''
    }
  }
  closeSync(log)
  return { topic, file, id }
}

function ulidLike(at, number) {
  const digits = (value, length) =>
    Array.from({ length }, (_, place) => alphabet[Math.floor(value / 32 ** (length - 1 - place)) % 32]).join('')
  return digits(at, 10) + digits((number * 2_654_435_761) % 2 ** 40, 8) + digits(number, 8)
}
