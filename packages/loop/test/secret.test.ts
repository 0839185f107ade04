import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { readMachineKey } from '@switchyard/ground/machine-key'
import { isSignedHere, signatureOf } from '@switchyard/ground/signature'
import { git, run, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
const keyOf = (env: Record<string, string>, fill = 7) => readMachineKey(env, (bytes) => Buffer.alloc(bytes, fill))

/** A home with a folder for temporary files, and where the key lies in both. */
function home(named = tempFolder('home')) {
  const env = { HOME: named, TMPDIR: tempFolder('temporary') }
  const folder = join(named, '.local', 'state', 'switchyard')
  return { env, folder, key: join(folder, 'key'), other: join(env.TMPDIR, `switchyard-${process.getuid?.()}`) }
}

describe('the key of this machine', () => {
  it('is made once, in a folder that is closed to others', () => {
    const { env, folder, key } = home()
    const made = keyOf(env)
    expect(made).toBe('07'.repeat(32))
    expect([modeOf(folder), modeOf(key), readdirSync(folder)]).toEqual(['700', '600', ['key']])
    expect(keyOf(env, 8)).toBe(made)
  })

  it('is that of XDG_STATE_HOME where it is set, and has no place in a relative one', () => {
    const { env, folder } = home()
    const named = tempFolder('state')
    keyOf({ ...env, XDG_STATE_HOME: named })
    expect([readdirSync(join(named, 'switchyard')), existsSync(folder)]).toEqual([['key'], false])
    keyOf({ ...env, XDG_STATE_HOME: 'state' })
    expect(readdirSync(folder)).toEqual(['key'])
  })

  it.each<[string, (at: ReturnType<typeof home>) => void]>([
    ['a folder that others may enter', ({ folder }) => chmodSync(folder, 0o755)],
    ['a key that others may read', ({ key }) => chmodSync(key, 0o640)],
    ['a damaged key', ({ key }) => writeFileSync(key, 'short\n')],
    ['a home that is in a repository', ({ env }) => git(join(env.HOME, '.local'), 'init', '-q')],
  ])('is not taken from %s, but from the temporary folder', (_, spoil) => {
    const at = home()
    expect(keyOf(at.env)).toBe('07'.repeat(32))
    spoil(at)
    expect([keyOf(at.env, 9), keyOf(at.env, 8)]).toEqual(['09'.repeat(32), '09'.repeat(32)])
    expect([modeOf(at.other), readdirSync(at.other)]).toEqual(['700', ['key']])
  })

  it('is the same while a sandbox has an empty .git above it, as that of Codex has in the temporary folder', () => {
    const { env } = home()
    const made = keyOf(env)
    mkdirSync(join(env.HOME, '.local', '.git'))
    expect(keyOf(env, 9)).toBe(made)
  })

  it('is not followed through a link, be it the folder or the key', () => {
    const owner = home()
    keyOf(owner.env)
    const byFolder = home()
    mkdirSync(join(byFolder.folder, '..'), { recursive: true })
    symlinkSync(owner.folder, byFolder.folder)
    expect(keyOf(byFolder.env, 9)).toBe('09'.repeat(32))
    const byKey = home()
    mkdirSync(byKey.folder, { recursive: true, mode: 0o700 })
    symlinkSync(owner.key, byKey.key)
    expect(keyOf(byKey.env, 9)).toBe('09'.repeat(32))
    expect(readFileSync(owner.key, 'utf8')).toBe(`${'07'.repeat(32)}\n`)
  })

  it('is not there where nothing can keep one: then nothing is signed, and nothing counts', () => {
    const file = join(tempFolder('file'), 'file')
    writeFileSync(file, '')
    const env = { HOME: file, TMPDIR: file }
    expect(keyOf(env)).toBeUndefined()
    expect(signatureOf('verdict', ['a'], env)).toBeUndefined()
    expect(isSignedHere('verdict', ['a'], 'f'.repeat(64), env)).toBe(false)
  })
})

describe('a signature', () => {
  it('counts for its own purpose, words and key alone', () => {
    const { env } = home()
    const made = signatureOf('verified', ['tree', 'ab'], env)
    expect(made).toMatch(/^[0-9a-f]{64}$/)
    expect(isSignedHere('verified', ['tree', 'ab'], made, env)).toBe(true)
    expect(isSignedHere('verdict', ['tree', 'ab'], made, env)).toBe(false)
    expect(isSignedHere('verified', ['treea', 'b'], made, env)).toBe(false)
    expect(isSignedHere('verified', ['tree', 'ab', null], made, env)).toBe(false)
    expect(isSignedHere('verified', ['tree', 'ab'], made, home().env)).toBe(false)
    for (const odd of [undefined, null, '', 'é'.repeat(64), [made]]) {
      expect(isSignedHere('verified', ['tree', 'ab'], odd, env)).toBe(false)
    }
  })
})

describe('the guard', () => {
  it('keeps agents out of that folder, by command and by tool, in an issue or not', () => {
    const { env, key } = home()
    const judged = (...args: string[]) =>
      run('loop', ['guard', 'test', '-q', ...args], { cwd: env.HOME, env: { ...env, XDG_STATE_HOME: undefined } })
        .stdout
    expect(judged(`cat ${key}`)).toBe('deny\n')
    expect(judged('cat ~/.local/state/switchyard/key > x')).toBe('deny\n')
    expect(judged('--tool', 'Write', '--path', key)).toBe('deny\n')
    expect(judged('--tool', 'Write', '--path', join(env.HOME, 'switchyard', 'key'))).toBe('allow\n')
  })
})
