import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cleanEnv, scaled, start, tempFolder } from '@switchyard/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshBus } from './bus.ts'

const writers = 8
const rounds = scaled(40, 20)
let sealer = ''

beforeAll(() => {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  sealer = join(tempFolder('sealer'), 'sealer.mjs')
  const entry = fileURLToPath(new URL('fixtures/sealer.ts', import.meta.url))
  const options = ['--bundle', '--platform=node', '--format=esm', '--log-level=warning', `--outfile=${sealer}`]
  const banner = `--banner:js=import{createRequire}from'node:module';const require=createRequire(import.meta.url);`
  execFileSync(join(root, 'node_modules/.bin/esbuild'), [entry, ...options, banner], { cwd: root })
})

type Bus = ReturnType<typeof freshBus>
type Life = { isOver: boolean }

/** Messages from several writers at a time, of one process each, while their topic is sealed all the time; the ids. */
async function postWhileSealing(bus: Bus, life: Life): Promise<string[]> {
  const sealing = spawn(process.execPath, [sealer, bus.file('t')], { env: cleanEnv() })
  const sealed = new Promise((resolve) => sealing.on('close', resolve))
  const ids: string[] = []
  for (let round = 0; round < rounds; round++) {
    const posts = Array.from({ length: writers }, (_, n) =>
      start('jwz', ['post', 't', '-m', `${round}/${n}`], { cwd: bus.cwd, input: '' }),
    )
    for (const { done } of posts) ids.push((await done).stdout.trim())
  }
  sealing.stdin.end()
  await sealed
  life.isOver = true
  return ids
}

function oneReading(bus: Bus) {
  return start('jwz', ['read', 't', '--consumer', 'c', '--commit', '-q', '--limit', '7'], { cwd: bus.cwd, input: '' })
}

/** Reads and commits until nothing is left; what it was given. `delayMs` kills each reading after so long at most. */
async function consume(bus: Bus, life: Life, delayMs?: () => number): Promise<string[]> {
  const given: string[] = []
  for (let isLast = false; ; ) {
    const reading = oneReading(bus)
    const kill = () => reading.child.kill('SIGKILL')
    const timer = isLast || delayMs === undefined ? undefined : setTimeout(kill, delayMs())
    const { code, stdout, stderr } = await reading.done
    clearTimeout(timer)
    expect([null, 0, 3]).toContain(code)
    expect(stderr).toBe('')
    given.push(...stdout.split('\n').slice(0, -1))
    if (isLast && code === 3) return given
    isLast = life.isOver
  }
}

function freshTopic(): Bus {
  const bus = freshBus()
  bus.jwz(['init'])
  mkdirSync(dirname(bus.file('t')), { recursive: true })
  return bus
}

describe('a consumer that commits while writers post and the topic is sealed', () => {
  it('has each message once, shared with another process of the same name', async () => {
    const bus = freshTopic()
    const first = bus.post('t', 'first')
    const life = { isOver: false }
    const [ids, ...given] = await Promise.all([postWhileSealing(bus, life), consume(bus, life), consume(bus, life)])
    expect(given.flat().sort()).toEqual([first, ...ids].sort())
  })

  it('misses none when it is killed at random', async () => {
    const bus = freshTopic()
    const first = bus.post('t', 'first')
    const life = { isOver: false }
    const [ids, given] = await Promise.all([
      postWhileSealing(bus, life),
      consume(bus, life, () => 30 + Math.random() * 60),
    ])
    expect([...new Set(given)].sort()).toEqual([first, ...ids].sort())
  })
})
