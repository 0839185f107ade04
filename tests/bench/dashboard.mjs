// The dashboard beside 1,000 sessions, with 50 events a second: what it takes, and how long after an event is posted a terminal shows it.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { happens, makeSession } from './made-sessions.mjs'
import { benchPlace, printTable, quantile, tool } from './place.mjs'

const sessions = 1000
const eventsASecond = 50
const seconds = 10
const ticksASecond = 100
const [columns, rows] = [120, 40]

/** Prints the table. A poll of the screen takes a few milliseconds, which the lag includes. */
export async function benchDashboard() {
  const place = benchPlace()
  for (let id = 0; id < sessions; id += 1) makeSession(place.folder, `${id}`, { cwd: '/' })
  place.run(tool('jwz', 'post', 'scope:feed', '-m', 'first'))
  const tmux = (...words) =>
    execFileSync('tmux', ['-S', join(place.folder, 'tmux'), '-f', '/dev/null', ...words], {
      cwd: place.folder,
      env: place.env,
    })
  const screen = () => tmux('capture-pane', '-p').toString()
  const start = performance.now()
  tmux('new-session', '-d', '-x', `${columns}`, '-y', `${rows}`, ...tool('scope'))
  while (!screen().includes(`${sessions} running`)) await sleep(20)
  const startMs = performance.now() - start
  const pid = tmux('display-message', '-p', '#{pane_pid}').toString().trim()
  const bridge = spawn(...command(tool('jwz', 'bridge')), { cwd: place.folder, env: place.env })
  createInterface({ input: bridge.stdout }).resume()

  const say = (id, more) => {
    const event = happens(place.folder, id, more)
    const argv = ['post', 'scope:feed', '-m', 'x', '--data', JSON.stringify(event)]
    bridge.stdin.write(`${JSON.stringify({ id: event.id, argv })}\n`)
  }
  const lags = []
  const before = spent(pid)
  const begin = performance.now()
  let said = 0
  const timer = setInterval(() => {
    said += 1
    say(`${said % (sessions - 1)}`, { event: 'turn', turn: said % 2 ? 'busy' : 'starting' })
  }, 1000 / eventsASecond)
  while (performance.now() - begin < seconds * 1000) {
    const reason = `Question ${lags.length} of them`
    const asked = performance.now()
    say(`${sessions - 1}`, { event: 'turn', turn: 'needs_input', reason })
    while (!screen().includes(reason.slice(0, 12))) await sleep(2)
    lags.push(performance.now() - asked)
    await sleep(200)
  }
  clearInterval(timer)
  const took = performance.now() - begin
  const cpu = (spent(pid) - before) / ticksASecond / (took / 1000)
  const megabytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  tmux('kill-server')
  bridge.stdin.end()
  await once(bridge, 'exit')
  place.leave()
  console.log(`Dashboard: ${sessions} sessions, ${Math.round((said * 1000) / took)} events a second\n`)
  printTable(
    ['', 'start ms', 'CPU %', 'memory MB', 'lag p50 ms', 'lag p99 ms'],
    [['scope', startMs, cpu * 100, megabytes, quantile(lags, 0.5), quantile(lags, 0.99)].map(rounded)],
  )
}

const rounded = (value) => (typeof value === 'number' ? value.toFixed(0) : value)

function command([program, ...args]) {
  return [program, args]
}

/** Clock ticks that a process has had of the processors. */
function spent(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ')
  return Number(fields[11]) + Number(fields[12])
}
