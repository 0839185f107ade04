// Sessions of `scope`: verbs beside ten and beside 10,000 that are over, a thousand at work, and how soon a death and the end of a session's time are known.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeSession } from './made-sessions.mjs'
import { benchPlace, median, printTable, quantile, tool } from './place.mjs'

const warmUps = 2
const few = 10
const many = 10_000
const atWork = 1000
const deaths = 5

/** Prints the tables; `rounds` of every command, and a fifth as many where a thousand sessions are polled. */
export async function benchSessions(rounds) {
  benchBeside(rounds)
  benchThousand(Math.ceil(rounds / 5))
  await benchEnds()
}

function benchBeside(rounds) {
  const node = [process.execPath, '-e', '0']
  const [small, large] = [few, many].map(overPlace)
  const verbs = { 'scope poll ID': ['poll', '3'], 'scope list': ['list'] }
  const commands = Object.fromEntries(
    Object.entries(verbs).flatMap(([name, words]) => [
      [`${name}, beside ${few}`, () => small.milliseconds(tool('scope', ...words))],
      [`${name}, beside ${many}`, () => large.milliseconds(tool('scope', ...words))],
    ]),
  )
  const times = rows({ 'node -e 0': () => small.milliseconds(node), ...commands }, rounds)
  for (const { leave } of [small, large]) leave()
  console.log(`Sessions that are over: ${rounds} interleaved rounds\n`)
  const growth = Object.keys(verbs).map((name) =>
    ratio(times[`${name}, beside ${many}`], times[`${name}, beside ${few}`]),
  )
  print(times, ['', '', growth[0], '', growth[1]])
}

function overPlace(count) {
  const place = benchPlace()
  for (let id = 0; id < count; id += 1) makeSession(place.folder, `${id}`, { more: [{ event: 'done' }] })
  return place
}

function benchThousand(rounds) {
  const place = benchPlace()
  for (let id = 0; id < atWork; id += 1) makeSession(place.folder, `${id}`)
  const poll = tool('scope', 'poll', '--active')
  const node = [process.execPath, '-e', '0']
  const name = `scope poll --active, ${atWork} at work`
  const times = rows({ 'node -e 0': () => place.milliseconds(node), [name]: () => place.milliseconds(poll) }, rounds)
  place.leave()
  console.log(`Sessions at work: ${rounds} interleaved rounds\n`)
  print(times, ['', ''])
}

/** How long after its agent was killed, and after its time was over, a session is known to have failed. */
async function benchEnds() {
  const place = benchPlace()
  const bin = join(place.folder, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'claude'), '#!/bin/sh\ncat >/dev/null\necho $$ >"pid-$SCOPE_SESSION_ID"\nexec sleep 600\n')
  chmodSync(join(bin, 'claude'), 0o755)
  place.env.PATH = `${bin}:${place.env.PATH}`
  place.env.XDG_CONFIG_HOME = place.folder
  const floor = times(deaths, () => place.milliseconds([process.execPath, '-e', '0']))
  const spawn = (...flags) => place.run(tool('scope', 'spawn', 'Hang', '--headless', ...flags)).trim()
  const begun = async (id) => {
    while (JSON.parse(place.run(tool('scope', 'poll', id))).turn !== 'busy') await sleep(20)
    while (!/\d\n/.test(place.run(['sh', '-c', `cat pid-${id} 2>/dev/null || true`]))) await sleep(20)
  }
  const [killed, late] = [[], []]
  for (let turn = 0; turn < deaths; turn += 1) {
    const id = spawn()
    await begun(id)
    const before = performance.now()
    place.run(['sh', '-c', `kill -9 $(cat pid-${id})`])
    await failed(place, id)
    killed.push(performance.now() - before)
  }
  for (let turn = 0; turn < deaths; turn += 1) {
    const id = spawn('--timeout', '1s')
    await begun(id)
    const before = performance.now()
    await failed(place, id)
    late.push(performance.now() - before)
  }
  place.leave()
  console.log(`Ends: ${deaths} sessions each\n`)
  print({ 'node -e 0': floor, 'failed, after its agent was killed': killed, 'failed, with --timeout 1s': late }, [])
}

async function failed(place, id) {
  while (JSON.parse(place.run(tool('scope', 'poll', id))).status !== 'failed') await sleep(10)
}

const times = (count, once) => Array.from({ length: count }, once)

/** How long each of the commands takes, in interleaved rounds. */
function rows(commands, rounds) {
  const all = Object.fromEntries(Object.keys(commands).map((name) => [name, []]))
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const [name, command] of Object.entries(commands)) {
      const took = command()
      if (round >= 0) all[name].push(took)
    }
  }
  return all
}

function print(all, growth) {
  const floor = all['node -e 0']
  const lines = Object.entries(all).map(([name, values], at) => [
    ...[name, median(values).toFixed(1), quantile(values, 0.95).toFixed(1), ratio(values, floor)],
    growth[at] ?? '',
  ])
  const heads = ['', 'median ms', 'p95 ms', 'ratio to node -e 0', `ratio to beside ${few}`]
  const width = growth.some((text) => text) ? heads.length : heads.length - 1
  printTable(
    heads.slice(0, width),
    lines.map((line) => line.slice(0, width)),
  )
}

const ratio = (values, floor) => median(values.map((value, round) => value / floor[round])).toFixed(2)
