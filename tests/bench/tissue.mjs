// What the hot verbs of tissue cost as the history grows and the open issues do not: whole-process times as ratios to
// `node -e 0`, and peak memory, with the cache and without.
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { benchPlace, median, printTable, quantile, tool } from './place.mjs'

const sizes = [1_000, 10_000, 100_000]
const openIssues = 200
const roundsMax = 15
const coldRoundsMax = 1
const meter = fileURLToPath(new URL('../../packages/testkit/preload/meter.cjs', import.meta.url))

/** Prints the table; `rounds` of each command, but of fifteen at most, and of one without the cache. */
export function benchTissue(rounds) {
  const rows = sizes.flatMap((issues) => {
    const place = benchPlace()
    const ids = writeIssues(place.folder, issues)
    const rows = rowsOf(place, ids, issues, rounds)
    place.leave()
    return rows
  })
  console.log(`tissue: ${openIssues} open issues; whole processes, beside \`node -e 0\`\n`)
  printTable(['issues', 'command', 'cache', 'median ms', 'ratio p50', 'ratio p95', 'peak MB'], rows)
}

function rowsOf(place, ids, issues, rounds) {
  const commands = {
    'tissue ready': () => tool('tissue', 'ready'),
    'tissue list': () => tool('tissue', 'list'),
    'tissue claim ID': (round) => tool('tissue', 'claim', ids[round % ids.length]),
    'tissue status ID': (round) => tool('tissue', 'status', ids[round % ids.length], round % 2 ? 'open' : 'paused'),
    'tissue new': (round) => tool('tissue', 'new', `Issue of round ${round}`),
  }
  const floor = Array.from({ length: roundsMax }, () => place.milliseconds([process.execPath, '-e', '0']))
  const rowOf = (name, cache, times, peak) => [
    issues.toLocaleString('en-US'),
    name,
    cache,
    median(times).toFixed(0),
    (median(times) / median(floor)).toFixed(2),
    (quantile(times, 0.95) / median(floor)).toFixed(2),
    peak.toFixed(0),
  ]
  const cold = Array.from({ length: Math.min(rounds, coldRoundsMax) }, () => {
    rmSync(join(place.folder, '.tissue/cache'), { recursive: true, force: true })
    return place.milliseconds(tool('tissue', 'ready'))
  })
  rmSync(join(place.folder, '.tissue/cache'), { recursive: true, force: true })
  const rows = [rowOf('tissue ready', 'missing', cold, peakOf(place, tool('tissue', 'ready')))]
  for (const [name, command] of Object.entries(commands)) {
    place.milliseconds(tool('tissue', 'ready'))
    const times = Array.from({ length: Math.min(rounds, roundsMax) }, (_, round) => place.milliseconds(command(round)))
    rows.push(rowOf(name, 'present', times, peakOf(place, command(0))))
  }
  return rows
}

/** The peak memory of one process, in megabytes. */
function peakOf({ folder, env, run }, command) {
  const report = join(folder, 'peak.json')
  env.NODE_OPTIONS = `--require=${meter}`
  env.SWITCHYARD_METER = JSON.stringify({ report, match: '.tissue' })
  run(command)
  delete env.NODE_OPTIONS
  delete env.SWITCHYARD_METER
  return JSON.parse(readFileSync(report, 'utf8')).peakBytes / 1e6
}

/** A store of so many issues with their histories, of which the last are open; returns the ids of those. */
function writeIssues(folder, issues) {
  mkdirSync(join(folder, '.tissue'))
  const log = openSync(join(folder, '.tissue/issues.jsonl'), 'w')
  const start = Date.now() - issues * 1000
  let [seq, lines] = [0, '']
  const write = (event) => {
    seq += 1
    const at = start + seq * 200
    lines += `${JSON.stringify({ v: 1, id: ulidLike(at, seq), seq, at, by: `agent-${seq % 8}`, ...event })}\n`
    return ulidLike(at, seq)
  }
  write({ type: 'configured', prefix: 'bench' })
  const open = []
  for (let number = 0; number < issues; number += 1) {
    const issue = `bench-${digits(spread(number), 12).toLowerCase()}`
    const title = `Issue ${number}: something that somebody has to do`
    const body = `${'A body of ordinary length, which says what is wrong. '.repeat(6)}\n`
    const created = write({ type: 'created', issue, title, body, priority: 1 + (number % 5), tags: ['bench'] })
    write({ type: 'commented', issue, body: 'Seen it too. '.repeat(10) })
    if (number >= issues - openIssues) open.push(issue)
    else {
      const claim = write({ type: 'claimed', issue, until: start, expect: null, replaces: { status: [created] } })
      write({ type: 'closed', issue, reason: 'done', fence: claim, replaces: { status: [claim] } })
    }
    if (lines.length > 1_000_000 || number === issues - 1) {
      writeSync(log, lines)
      lines = ''
    }
  }
  closeSync(log)
  return open
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Numbers that lie all over the 60 bits of an id. */
function spread(number) {
  return ((number * 0x9e37_79b9_7f4a) % 2 ** 48) * 4096 + (number % 4096)
}

function digits(value, length) {
  return Array.from({ length }, (_, place) => alphabet[Math.floor(value / 32 ** (length - 1 - place)) % 32]).join('')
}

function ulidLike(at, number) {
  return digits(at, 10) + digits(number, 16)
}
