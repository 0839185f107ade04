// What must hold for issues whatever happens: many writers at once, kills at any moment, and hostile input.
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Finished, faultEnv, run, scaled, start, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'

const writers = 8

function tissue(cwd: string, args: readonly string[], input: string | Uint8Array = '') {
  return run('tissue', args, { cwd, input, env: { JWZ_AGENT: 'ada' } })
}

function json(cwd: string, ...args: string[]) {
  const { code, stdout, stderr } = tissue(cwd, [...args, '--json'])
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)
}

/** A folder with a store of `count` issues, and their ids. */
function storeWith(count: number): { cwd: string; ids: string[] } {
  const cwd = tempFolder('gates')
  const finding = (id: number) =>
    JSON.stringify({
      v: 1,
      type: 'finding',
      id: `${id}`,
      rule: 'r',
      title: `t${id}`,
      severity: 'low',
      path: 'p',
      line: 1,
    })
  const input = Array.from({ length: count }, (_, index) => `${finding(index)}\n`).join('')
  const { code, stdout } = tissue(cwd, ['import', '-', '--quiet'], input)
  expect(code).toBe(0)
  return { cwd, ids: stdout.trimEnd().split('\n') }
}

/** Numbers from 0 to 1 that a seed repeats. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

describe('a hundred processes at once', () => {
  it('each make their issue: all are there, every line is whole', async () => {
    const cwd = tempFolder('gates')
    const printed: string[] = []
    for (let round = 0; round < scaled(20); round += 1) {
      const ends = await Promise.all(
        Array.from({ length: 100 }, (_, index) => {
          return start('tissue', ['new', `issue ${round} ${index}`], { cwd, input: '' }).done
        }),
      )
      for (const { code, stderr } of ends) expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      printed.push(...ends.map(({ stdout }) => stdout.trim()))
    }
    expect(new Set(printed).size).toBe(100 * scaled(20))
    const lines = readFileSync(join(cwd, '.tissue/issues.jsonl'), 'utf8').trimEnd().split('\n')
    const created = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'created')
    expect(created.map(({ issue }) => issue).sort()).toEqual([...printed].sort())
    expect(json(cwd, 'doctor', '--log')).toMatchObject({ issues: printed.length, torn: 0, duplicates: 0, corrupt: [] })
  })
})

/** A verb that changes one issue of its own, with a word by which its event is found again. */
const changes: readonly ((id: string, word: string) => string[])[] = [
  (_, word) => ['new', word],
  (_, word) => ['new', 'x', '--body', word, '--priority', '1', '--tag', word],
  (id, word) => ['comment', id, '-m', word],
  (id, word) => ['edit', id, '--title', word],
  (id, word) => ['edit', id, '--priority', '3', '--add-tag', word],
  (id, word) => ['claim', id, '--as', word],
  (id, word) => ['close', id, '--reason', word],
  (id, word) => ['status', id, 'paused', '--as', word],
  (_, word) => ['config', 'lease', `${word.replaceAll(/\D/g, '')}m`, '--as', word],
]

/** Runs a verb; most are killed, before a random file call or at a random moment. */
async function runInDanger(cwd: string, args: string[], random: () => number): Promise<Finished> {
  const [danger, when] = [random(), random()]
  const rule = { call: '*', nth: 1 + Math.floor(when * 60), action: 'kill' } as const
  const running = start('tissue', args, { cwd, input: '', env: danger < 0.4 ? faultEnv(rule) : {} })
  const timer = danger < 0.7 ? setTimeout(() => running.child.kill('SIGKILL'), 50 + when * 500) : undefined
  const end = await running.done
  clearTimeout(timer)
  return end
}

describe('writers of all kinds, killed at any moment', () => {
  it.each([1, 2])('lose nothing that they said was done (seed %i)', async (seed) => {
    const times = scaled(60)
    const { cwd, ids } = storeWith(writers * times)
    const acknowledged: string[] = []
    let kills = 0
    const write = async (writer: number) => {
      const random = randomFrom(seed * 1_000 + writer)
      for (let time = 0; time < times; time += 1) {
        const word = `w${seed}-${writer}-${time}`
        const change = changes[Math.floor(random() * changes.length)]
        const args = change?.(ids[writer * times + time] ?? '', word) ?? []
        const { code, signal, stdout, stderr } = await runInDanger(cwd, args, random)
        if (signal === 'SIGKILL') kills += 1
        else expect(code, `${args.join(' ')}: ${stderr}`).toBe(0)
        // What is printed is promised, also by one that was killed afterwards.
        if (stdout.endsWith('\n')) acknowledged.push(word)
      }
    }
    await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
    expect(kills).toBeGreaterThan(writers)
    expect(acknowledged.length).toBeGreaterThan(writers)
    const { torn, corrupt } = json(cwd, 'doctor', '--log')
    expect(corrupt).toEqual([])
    expect(torn).toBeLessThanOrEqual(kills)
    const next = tissue(cwd, ['new', 'after all that'])
    expect(next.code).toBe(0)
    expect(json(cwd, 'show', next.stdout.trim()).title).toBe('after all that')
    const events = tissue(cwd, ['export']).stdout
    expect(acknowledged.filter((word) => !events.includes(`"${word}"`))).toEqual([])
    expect(tissue(cwd, ['doctor', '--fix']).code).toBe(0)
    expect(tissue(cwd, ['doctor', '--json']).stdout).not.toMatch(/"check":"(lock|drafts)"/)
  })
})

describe('hostile input', () => {
  const cwd = tempFolder('gates')
  const keep = (title: string, body: string | Uint8Array) => {
    const { code, stdout, stderr } = tissue(cwd, ['new', title, '-'], body)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return json(cwd, 'show', stdout.trim()).body
  }

  it.each([
    ['NUL', 'a\0b'],
    ['CRLF', 'a\r\nb\r\n'],
    ['a lone CR and line ends of Unicode', 'a\rb\u0085c\u2028d\u2029'],
    ['what looks like a log', '{"v":1}\n<<<<<<< HEAD\n'],
    ['an emoji across the border of two reads', `${'x'.repeat(65_535)}👩‍👩‍👧${'x'.repeat(65_534)}漢`],
    ['10 MB', 'ten bytes\n'.repeat(1_048_576)],
    ['nothing but a line end', '\n'],
  ])('is kept byte for byte: %s', (title, body) => {
    expect(keep(title, body) === body).toBe(true)
    expect(json(cwd, 'doctor', '--log').corrupt).toEqual([])
  })

  it('that is no UTF-8 is refused before anything is written', () => {
    const before = json(cwd, 'doctor', '--log').lines
    for (const bytes of [[0xff], [0x61, 0xc3], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x91]]) {
      const { code, stdout, stderr } = tissue(cwd, ['new', 'x', '-'], Uint8Array.from(bytes))
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain('expected UTF-8')
    }
    expect(json(cwd, 'doctor', '--log').lines).toBe(before)
  })

  it('may be a tag with a comma, which stays one tag', () => {
    const id = tissue(cwd, ['new', 'comma', '--tag', 'a,b', '--tag', 'ç 漢']).stdout.trim()
    expect(json(cwd, 'show', id).tags).toEqual(['a,b', 'ç 漢'])
    expect(json(cwd, 'list', '--tag', 'a,b')).toHaveLength(1)
    expect(json(cwd, 'list', '--tag', 'a')).toEqual([])
  })

  it('may be a prefix, a name or a folder that is far too long', () => {
    const long = 'a'.repeat(30)
    expect(tissue(cwd, ['init', '--prefix', long])).toMatchObject({ code: 2, stdout: '' })
    expect(tissue(cwd, ['show', long])).toMatchObject({ code: 3, stdout: '' })
    expect(tissue(cwd, ['show', `${long}-${long}`.repeat(100)])).toMatchObject({ code: 3, stdout: '' })
    const folder = join(cwd, `${'long-name-'.repeat(20)}`)
    mkdirSync(folder)
    const { code, stdout } = tissue(folder, ['new', 'x', '--store', '.tissue'])
    expect(code).toBe(0)
    expect(json(folder, 'show', stdout.trim(), '--store', '.tissue').id.length).toBeLessThan(32)
  })
})
