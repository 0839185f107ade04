// How long after it is handed to a bridge a message shows up in a follower, its way onto the disk included, beside `tail -f` on a plain file.
import { spawn } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { benchPlace, printTable, quantile, tool } from './place.mjs'

const posts = 200
const pauseMs = 10

/** Prints the table: from before the post is asked for until the follower's line is read. */
export async function benchFollow() {
  const place = benchPlace()
  place.run(tool('jwz', 'post', 'live', '-m', 'first'))
  const bridge = spawn(...command(tool('jwz', 'bridge')), { cwd: place.folder, env: place.env })
  const answers = createInterface({ input: bridge.stdout })[Symbol.asyncIterator]()
  const post = async (text) => {
    bridge.stdin.write(`${JSON.stringify({ id: text, argv: ['post', 'live', '-m', text] })}\n`)
    await answers.next()
  }
  const followed = await latencies(place, tool('jwz', 'follow', 'live', '--jsonl'), post)
  bridge.stdin.end()

  const plain = join(place.folder, 'plain')
  writeFileSync(plain, '')
  const tailed = await latencies(place, ['tail', '-f', plain], (text) => appendFileSync(plain, `{"body":"${text}"}\n`))
  place.leave()

  const row = (name, times) => [name, ...[0.5, 0.99, 1].map((part) => quantile(times, part).toFixed(1))]
  console.log(`Follow: ${posts} messages, ${pauseMs} ms apart\n`)
  printTable(
    ['way', 'p50 ms', 'p99 ms', 'longest ms'],
    [row('jwz bridge to jwz follow', followed), row('append to tail -f', tailed)],
  )
}

function command([program, ...args]) {
  return [program, args]
}

async function latencies({ folder, env }, follower, post) {
  const child = spawn(...command(follower), { cwd: folder, env })
  const posted = new Map()
  const times = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    const start = posted.get(JSON.parse(line).body)
    if (start !== undefined) times.push(performance.now() - start)
  })
  const send = async (text) => {
    posted.set(text, performance.now())
    await post(text)
    await sleep(pauseMs)
  }
  // Until the follower is up, so that its start is not measured.
  while (times.length === 0) await send(`warm-up ${posted.size}`)
  await sleep(200)
  times.length = 0
  for (let place = 0; place < posts; place += 1) await send(`message ${place}`)
  while (times.length < posts) await sleep(pauseMs)
  child.kill()
  return times
}
