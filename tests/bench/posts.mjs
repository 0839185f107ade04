// How many messages a second get onto the bus, each acknowledged and safe from a power cut, beside what a shell would do without it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { benchPlace, has, median, printTable, tool } from './place.mjs'

const body = 'A message of ordinary length, as agents write them to each other all day.'

/** Prints the table; the median of `rounds`, but of five at most. */
export async function benchPosts(rounds) {
  const place = benchPlace()
  const { milliseconds, run } = place
  run(tool('jwz', 'init'))
  const rows = []
  const measure = async (name, count, act) => {
    const times = []
    for (let round = 0; round < Math.min(rounds, 5); round += 1) times.push(await act())
    rows.push([name, count, Math.round(count / (median(times) / 1000))])
  }
  const lines = (count) => `${body}\n`.repeat(count)

  await measure('jwz post --stdin, one process', 50_000, () =>
    milliseconds(tool('jwz', 'post', 'stream', '--stdin', '--quiet'), lines(50_000)),
  )
  const request = `${JSON.stringify({ id: 1, argv: ['post', 'bridged', '-m', body] })}\n`
  await measure('jwz bridge, one process', 2_000, () => milliseconds(tool('jwz', 'bridge'), request.repeat(2_000)))
  for (const [processes, each] of [
    [1, 20],
    [8, 10],
    [32, 5],
  ]) {
    const name = `jwz post, ${processes} ${processes === 1 ? 'process' : 'processes'} at a time`
    await measure(name, processes * each, () => atOnce(place, processes, each))
  }
  await measure('echo >> file in a loop (not synced)', 50_000, () =>
    milliseconds(['sh', '-c', `i=0; while [ $i -lt 50000 ]; do echo '${body}' >> plain; i=$((i+1)); done`]),
  )
  if (has('sqlite3')) await benchSqlite(place, measure)
  console.log('Posts a second\n')
  printTable(['way', 'messages', 'a second'], rows)
  place.leave()
}

/** So many shells, each of which posts in a loop, as agents beside each other do. */
async function atOnce({ folder, env }, processes, each) {
  const [node, jwz] = tool('jwz')
  const loop = `i=0; while [ $i -lt ${each} ]; do '${node}' '${jwz}' post crowd -m '${body}'; i=$((i+1)); done`
  const start = performance.now()
  const shells = Array.from({ length: processes }, () =>
    spawn('sh', ['-c', loop], { cwd: folder, env, stdio: 'ignore' }),
  )
  await Promise.all(shells.map((shell) => once(shell, 'close')))
  return performance.now() - start
}

async function benchSqlite({ milliseconds, run }, measure) {
  run(['sqlite3', 'plain.db', 'PRAGMA journal_mode=WAL; CREATE TABLE messages (id INTEGER PRIMARY KEY, body TEXT)'])
  const insert = `INSERT INTO messages (body) VALUES ('${body}');\n`
  await measure('sqlite3, one process, a transaction each', 2_000, () =>
    milliseconds(['sqlite3', 'plain.db'], insert.repeat(2_000)),
  )
  await measure('sqlite3, a process each', 20, () =>
    milliseconds(['sh', '-c', `for i in $(seq 20); do sqlite3 plain.db "${insert.trim()}"; done`]),
  )
}
