// A thread beside the tests, which goes on where a call that waits (spawnSync, a named pipe) holds up the thread of the
// tests and with it every limit of time. Past a test's deadline it tells which processes the tests have running, with
// their command lines, and kills them: the call that waits returns, and its test fails by what it got. Where it still
// waits after that, this process itself is killed, so that the runner goes on with other files.
// workerData: { shared, mark, again }; shared is a deadline (8 bytes, ms since the epoch, 0 for none), the length of a test's
// name (4 bytes) and the name; mark is an entry NAME=VALUE that only processes of these tests have in their environment;
// again is the time (ms) after which this process is killed.
const { readdirSync, readFileSync, writeSync } = require('node:fs')
const { workerData } = require('node:worker_threads')
const { shared, mark, again } = workerData
const deadline = new Float64Array(shared, 0, 1)
const nameLength = new Int32Array(shared, 8, 1)
const name = new Uint8Array(shared, 12)

/** The deadline that this thread has set itself, when it had killed the others. */
let last = 0

/** Processes that these tests have started, whoever their parent is by now. */
function startedHere() {
  return readdirSync('/proc').flatMap((entry) => {
    const pid = Number(entry)
    if (!Number.isInteger(pid) || pid === process.pid) return []
    try {
      const isMarked = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark)
      if (!isMarked && parentOf(pid) !== process.pid) return []
      return [{ pid, line: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').slice(0, 300) }]
    } catch {
      return []
    }
  })
}

function parentOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') writeSync(2, `hang: ${error.message}\n`)
  }
}

function look() {
  const over = deadline[0]
  if (over === 0 || Date.now() < over) return
  const test = Buffer.from(name.slice(0, nameLength[0])).toString()
  if (over === last) {
    writeSync(2, `hang: "${test}" still waits: its worker is killed\n`)
    kill(process.pid)
  }
  last = deadline[0] = Date.now() + again
  const found = startedHere()
  const lines = found.map(({ pid, line }) => `  ${pid} ${line}\n`).join('')
  writeSync(2, `hang: "${test}" is past its limit. What it has started is killed now:\n${lines}`)
  for (const { pid } of found) kill(pid)
}

setInterval(look, 1000)
