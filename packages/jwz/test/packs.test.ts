import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { bin, cleanEnv, heeding, itWith, otherUser, run, tempFolder, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'

/** An installed copy of the tool, and a topic to read; `answer` is what `jwz latest` says. */
function installed() {
  const home = tempFolder('installed')
  const from = dirname(dirname(bin('jwz')))
  for (const part of ['bin', 'dist', 'package.json']) cpSync(join(from, part), join(home, part), { recursive: true })
  const dist = join(home, 'dist')
  const cwd = tempRepo()
  run('jwz', ['post', 't', '-m', 'hello'], { cwd })
  const packs = () => readdirSync(dist).filter((name) => name.startsWith('latest.') && !name.endsWith('.cjs'))
  const pack = join(dist, packs().find((name) => name.includes(process.version)) ?? 'none')
  const answer = (env: Record<string, string> = {}, command = heeding) => {
    const [program = '', ...args] = command([process.execPath, join(home, 'bin/jwz.cjs'), 'latest', 't'])
    const { status, signal, stdout, stderr } = spawnSync(program, args, { cwd, env: cleanEnv(env), encoding: 'utf8' })
    return { status, signal, stdout, stderr }
  }
  return { dist, pack, packs, answer, good: readFileSync(pack) }
}

const hello = { status: 0, signal: null, stdout: 'hello\n', stderr: '' }

/** Whether both halves of a pack are the same, with code behind the source. */
function isWhole(bytes: Buffer): boolean {
  const half = bytes.length / 2
  return bytes.subarray(0, half).equals(bytes.subarray(half)) && bytes.readUInt32LE(0) + 20_000 < half
}

function flipped(bytes: Buffer, ...places: number[]): Buffer {
  const copy = Buffer.from(bytes)
  for (const place of places) for (let at = place; at < place + 4; at++) copy[at] = 255 - (copy[at] ?? 0)
  return copy
}

describe('a pack of V8’s code', () => {
  const tool = installed()
  const half = tool.good.length / 2
  const code = 4 + tool.good.readUInt32LE(0)

  it('is left alone while it is whole', () => {
    const { mtimeMs } = statSync(tool.pack)
    expect(tool.answer()).toEqual(hello)
    expect([statSync(tool.pack).mtimeMs, tool.packs()]).toEqual([mtimeMs, [tool.packs()[0]]])
  })

  it.each([
    ['in its code', () => flipped(tool.good, Math.floor(code + (half - code) / 2))],
    ['in the second copy', () => flipped(tool.good, tool.good.length - 5_000)],
    ['in its source', () => flipped(tool.good, 2_000)],
    ['in its length, twice', () => flipped(tool.good, 0, half)],
    ['at its end, cut off', () => tool.good.subarray(0, -1_000)],
    ['but for its first bytes', () => tool.good.subarray(0, 3)],
    ['and empty', () => Buffer.alloc(0)],
    ['by being of another V8', () => flipped(tool.good, code + 4, half + code + 4)],
  ])('that is damaged %s does no harm, and is made anew', (_, bytes) => {
    writeFileSync(tool.pack, bytes())
    expect(tool.answer()).toEqual(hello)
    expect(isWhole(readFileSync(tool.pack))).toBe(true)
    expect(readFileSync(tool.pack).equals(bytes())).toBe(false)
    expect(tool.packs()).toHaveLength(1)
    expect(tool.answer()).toEqual(hello)
  })

  it('is done without where a folder is in its place', () => {
    rmSync(tool.pack)
    mkdirSync(tool.pack)
    expect(tool.answer()).toEqual(hello)
    expect(tool.packs()).toHaveLength(1)
    rmSync(tool.pack, { recursive: true })
  })

  it('is made by the first process of a Node that has none, and not by one with flags', () => {
    rmSync(tool.pack, { force: true })
    expect(tool.answer({ NODE_OPTIONS: '--no-deprecation' })).toEqual(hello)
    expect(existsSync(tool.pack)).toBe(false)
    expect(tool.answer()).toEqual(hello)
    expect(isWhole(readFileSync(tool.pack))).toBe(true)
    expect(statSync(tool.pack).mode & 0o777).toBe(0o644)
  })

  itWith('permissions that stop this user', 'is done without where it may not be read or written', () => {
    chmodSync(tool.pack, 0)
    chmodSync(tool.dist, 0o555)
    expect(tool.answer()).toEqual(hello)
    expect(statSync(tool.pack).mode & 0o777).toBe(0)
    chmodSync(tool.dist, 0o755)
    expect(tool.answer()).toEqual(hello)
    expect(isWhole(readFileSync(tool.pack))).toBe(true)
  })
  itWith('root', 'is used by another user, who can neither write nor leave one', () => {
    const ben = otherUser(54_321, { tools: ['jwz'] })
    const dist = join(ben.folder, 'tools/jwz/dist')
    const packs = () => readdirSync(dist).filter((name) => name.startsWith('latest.') && name.endsWith('.pack'))
    const said = ben.bash('id -u; jwz post news -m hello -q > id; jwz latest news')
    expect(said).toMatchObject({ code: 0, stdout: '54321\nhello\n', stderr: '' })
    expect(statSync(join(ben.folder, '.jwz')).uid).toBe(54_321)
    const [pack = 'none'] = packs()
    expect(ben.bash(`echo x > '${join(dist, pack)}'`).code).toBe(1)
    rmSync(join(dist, pack))
    expect(ben.bash('jwz latest news')).toMatchObject({ code: 0, stdout: 'hello\n', stderr: '' })
    expect(packs()).toEqual([])
  })
})
