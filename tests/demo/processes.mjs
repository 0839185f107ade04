// The processes of the demo: each in a group of its own, so that a signal to the demo ends all of them and leaves none behind.
import { spawn } from 'node:child_process'

const graceMs = 10_000
const groups = new Set()
let isStopping = false

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal)
    return true
  } catch (error) {
    if (error.code === 'ESRCH') return false
    throw error
  }
}

function wait(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Starts a program; `done` is its exit code, 127 when it cannot be started. It never comes while the demo stops, so nothing follows on it. */
export function start(command, args, { output = 'ignore', ...options }) {
  const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', output, output] })
  if (child.pid !== undefined) groups.add(child.pid)
  const done = new Promise((resolve) => {
    child.on('error', () => resolve(127))
    child.on('close', (code) => {
      if (child.pid !== undefined && !signalGroup(child.pid, 0)) groups.delete(child.pid)
      if (!isStopping) resolve(code ?? 1)
    })
  })
  return { child, done }
}

/** Runs a program to its end and gives its exit code and what it printed. */
export async function run(command, args, options) {
  const { child, done } = start(command, args, { ...options, output: 'pipe' })
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)]
  const code = await done
  return { code, stdout: stdout(), stderr: stderr() }
}

function collect(stream) {
  const blocks = []
  stream?.on('data', (block) => blocks.push(block))
  return () => Buffer.concat(blocks).toString('utf8')
}

/** Asks every group to end, and ends those that are there after ten seconds. */
export async function stopAll() {
  for (const pid of groups) signalGroup(pid, 'SIGTERM')
  const deadline = Date.now() + graceMs
  const alive = () => [...groups].filter((pid) => signalGroup(pid, 0))
  while (alive().length > 0 && Date.now() < deadline) await wait(50)
  killAll()
}

function killAll() {
  for (const pid of groups) signalGroup(pid, 'SIGKILL')
}

/** The first signal stops the demo in order, the second at once. */
export function endOnSignals(say) {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ]) {
    process.on(signal, async () => {
      if (isStopping) {
        killAll()
        process.exit(code)
      }
      isStopping = true
      say(`demo: ${signal}; stopping what was started`)
      await stopAll()
      process.exit(code)
    })
  }
}
