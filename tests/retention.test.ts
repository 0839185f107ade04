import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { cleanEnv, run, scaled, start, tempFolder, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'

const longLived = 8
const shortLived = 24
const linesEach = scaled(5_000)
const postsEach = scaled(100)
const topic = 'busy:topic'

type Bus = { cwd: string; archive: string; file: string; isOver: boolean }

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '')
const jwz = (bus: Bus, ...args: string[]) => run('jwz', args, { cwd: bus.cwd })

function freshBus(): Bus {
  const cwd = tempRepo()
  return { cwd, archive: tempFolder('archive'), file: join(cwd, '.jwz/topics/busy/topic.jsonl'), isOver: false }
}

/** Posts lines through one process, a few at a time; the ids it acknowledged. */
async function postSlowly({ cwd }: Bus, name: string): Promise<string[]> {
  const writer = start('jwz', ['post', topic, '--stdin', '-q', '--as', name], { cwd })
  for (let line = 0; line < linesEach; line += 5) {
    writer.child.stdin?.write(Array.from({ length: 5 }, (_, n) => `${name} says ${line + n}\n`).join(''))
    await pause(20 * Math.random())
  }
  writer.child.stdin?.end()
  const { code, stdout, stderr } = await writer.done
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return linesOf(stdout)
}

/** Posts through a process a message; the ids they acknowledged. */
async function postOften({ cwd }: Bus, name: string): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < postsEach; n++) {
    const { code, stdout, stderr } = await start('jwz', ['post', topic, '-m', `${name} ${n}`, '--as', name], {
      cwd,
      input: '',
    }).done
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    ids.push(...linesOf(stdout))
  }
  return ids
}

type Report = { sealed: object | null; dropped: { segments: number } | null }

const retention = ['--older-than', '100ms', '--seal-above', '3000', '--jsonl']

/** Compacts the topic again and again; how many segments were sealed and dropped. */
async function compactAgain(bus: Bus) {
  const count = { sealed: 0, dropped: 0 }
  while (!bus.isOver) {
    const args = ['compact', topic, ...retention, '--archive', bus.archive]
    const { code, stdout, stderr } = await start('jwz', args, { cwd: bus.cwd, input: '' }).done
    // Between the last segment that was dropped and the next post there is no such topic.
    expect([0, 3]).toContain(code)
    if (code === 0) expect(stderr.replace(/^nothing is old .*\n$/, '')).toBe('')
    for (const line of linesOf(stdout)) {
      const { sealed, dropped }: Report = JSON.parse(line)
      count.sealed += sealed === null ? 0 : 1
      count.dropped += dropped?.segments ?? 0
    }
  }
  return count
}

async function replaceAgain(bus: Bus): Promise<number> {
  const program = fileURLToPath(new URL('retention/replacer.mjs', import.meta.url))
  const child = spawn(process.execPath, [program, bus.file], { env: cleanEnv(), stdio: 'pipe' })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text))
  const ended = new Promise((resolve) => child.on('close', resolve))
  while (!bus.isOver) await pause(20)
  child.stdin.end()
  await ended
  expect(output).toMatch(/^\d+$/)
  return Number(output)
}

/** Reads and commits until all is over and nothing is left; the ids that were given. */
async function consume(bus: Bus): Promise<string[]> {
  const given: string[] = []
  for (let isLast = false; ; isLast = bus.isOver) {
    const args = ['read', topic, '--consumer', 'reader', '--commit', '-q', '--limit', '500']
    const { code, stdout, stderr } = await start('jwz', args, { cwd: bus.cwd, input: '' }).done
    expect([0, 3]).toContain(code)
    if (code === 0) expect(stderr).toBe('')
    given.push(...linesOf(stdout))
    if (isLast && code === 3) return given
  }
}

function idsInArchive(bus: Bus): string[] {
  const folder = join(bus.archive, 'topics/busy')
  const text = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  // Who copies a file may meet a line half written; its writer then appends it again.
  const whole = linesOf(text.join('')).filter((line) => line.endsWith('}'))
  return whole.map((line) => JSON.parse(line).id)
}

describe('a topic that is written, sealed, compacted and replaced all the time', () => {
  it('loses nothing that was acknowledged, and gives each message to a consumer once', async () => {
    const bus = freshBus()
    const first = jwz(bus, 'post', topic, '-m', 'first').stdout.trim()
    expect(jwz(bus, 'read', topic, '--consumer', 'reader', '--commit', '-q').stdout).toBe(`${first}\n`)
    const writing = Promise.all([
      ...Array.from({ length: longLived }, (_, n) => postSlowly(bus, `slow-${n}`)),
      ...Array.from({ length: shortLived }, (_, n) => postOften(bus, `short-${n}`)),
    ]).finally(() => {
      bus.isOver = true
    })
    const [acknowledged, given, counts, replaced] = await Promise.all([
      writing,
      consume(bus),
      compactAgain(bus),
      replaceAgain(bus),
    ])
    const ids = acknowledged.flat().sort()
    process.stdout.write(
      `${ids.length} acknowledged; ${counts.sealed} sealed, ${counts.dropped} dropped, ${replaced} replaced\n`,
    )
    expect(ids).toHaveLength(longLived * linesEach + shortLived * postsEach)
    expect(given.sort()).toEqual(ids)
    expect([counts.sealed, counts.dropped, replaced].every((count) => count > 0)).toBe(true)
    expect(jwz(bus, 'doctor', '--log').stdout).toMatch(/ \d+ torn, \d+ repeated, 0 corrupt\n$|^$/)
    jwz(bus, 'compact', '--older-than', '0s', '--archive', bus.archive)
    const archived = new Set(idsInArchive(bus))
    expect(ids.filter((id) => !archived.has(id))).toEqual([])
  })
})
