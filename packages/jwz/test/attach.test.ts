import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv, itWith, run, scaled } from '@switchyard/testkit'
import { messageSchema } from '@switchyard/topic/schema'
import { describe, expect, it } from 'vitest'
import { failed, freshBus, ok } from './bus.ts'

const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')

function busWithFiles() {
  const bus = freshBus()
  mkdirSync(join(bus.cwd, 'logs'))
  writeFileSync(join(bus.cwd, 'logs/run.log'), 'line\n')
  writeFileSync(join(bus.cwd, 'shot.png'), Buffer.from([0x89, 0, 255]))
  const files = [
    { name: 'run.log', sha256: sha256('line\n'), bytes: 5 },
    { name: 'shot.png', sha256: sha256(Buffer.from([0x89, 0, 255])), bytes: 3 },
  ]
  return { ...bus, files }
}

describe('post --attach', () => {
  it('keeps files with a message, which show lists and fetches', () => {
    const { cwd, jwz, records, files } = busWithFiles()
    const posted = jwz(['post', 't', '-m', 'see', '--attach', 'logs/run.log', '--attach', 'shot.png', '--json'])
    const message = messageSchema.parse(JSON.parse(posted.stdout))
    expect(message.attachments).toEqual(files)
    expect(records('t')).toEqual([message])
    const listed = files.map(({ name, bytes, sha256 }) => `attached: ${name} (${bytes} B, ${sha256})`)
    expect(jwz(['show', message.id]).stdout).toContain(`\n${listed.join('\n')}\n\nsee\n`)
    expect(jwz(['show', message.id, '--attachment', sha256('line\n').slice(0, 12)])).toEqual(ok('line\n'))
    expect(jwz(['show', message.id, '--attachment', 'shot.png', '-o', 'copy'])).toMatchObject({ code: 0 })
    expect(readFileSync(join(cwd, 'copy'))).toEqual(readFileSync(join(cwd, 'shot.png')))
  })

  it('goes with an answer, and with every line of stdin', () => {
    const { jwz, post, records, files } = busWithFiles()
    const question = post('t', 'q')
    expect(jwz(['reply', question, '-m', 'a', '--attach', 'shot.png'])).toMatchObject({ code: 0 })
    expect(jwz(['post', 't', '--stdin', '--attach', 'logs/run.log'], { input: '1\n2\n' })).toMatchObject({ code: 0 })
    expect(records('t').map(({ attachments }) => attachments)).toEqual([undefined, [files[1]], [files[0]], [files[0]]])
  })

  it('posts nothing when a file cannot be read or there is no text', () => {
    const { cwd, jwz } = busWithFiles()
    expect(jwz(['post', 't', '-m', 'x', '--attach', 'shot.png', '--attach', 'nope'])).toEqual(
      failed(2, `cannot read ${cwd}/nope: ENOENT`),
    )
    expect(jwz(['post', 't', '-m', 'x', '--attach', 'logs'])).toEqual(
      failed(2, `a file was expected, ${cwd}/logs is a folder`),
    )
    expect(jwz(['post', 't', '-m', 'x', '--attach', '-'])).toEqual(
      failed(2, '--attach takes a file with a name; got "-"; write stdin to a file first'),
    )
    expect(jwz(['post', 't', '--attach', 'shot.png'])).toEqual(
      failed(2, 'a message comes from one of -m TEXT, -F FILE or - (stdin); got none'),
    )
    expect(existsSync(join(cwd, '.jwz'))).toBe(false)
  })

  itWith('permissions that stop this user', 'says so when the file may not be read', () => {
    const { cwd } = busWithFiles()
    chmodSync(join(cwd, 'shot.png'), 0)
    const args = ['post', 't', '-m', 'x', '--attach', 'shot.png', '--store', join(cwd, 'mine')]
    const { code, stderr } = run('jwz', args, { cwd, unprivileged: true })
    expect([code, stderr]).toEqual([2, `jwz: cannot read ${cwd}/shot.png: EACCES\n`])
  })

  it('is checked like a body', () => {
    const { cwd, jwz, post, files } = busWithFiles()
    const id = post('t', 'see', '--attach', 'shot.png')
    expect(jwz(['doctor', '--log'])).toMatchObject({ code: 0 })
    const hash = files[1]?.sha256 ?? ''
    writeFileSync(join(cwd, '.jwz/blobs', hash.slice(0, 2), hash), 'xyz')
    const { code, stdout } = jwz(['doctor', '--log'])
    expect([code, stdout]).toEqual([
      7,
      `t: 1 record, 0 torn, 0 repeated, 1 corrupt\n  ${id}: its blob ${hash} has other bytes (attachment "shot.png")\n`,
    ])
  })

  it('killed before any of its calls, leaves nothing that check complains about', () => {
    const { jwz } = busWithFiles()
    for (let nth = 1, code: number | null = null; code === null; nth++) {
      const env = faultEnv({ call: '*', nth, action: 'kill', match: '.jwz' })
      code = jwz(['post', 't', '-m', `${nth}`, '--attach', 'shot.png', '--attach', 'logs/run.log'], { env }).code
    }
    expect(jwz(['doctor', '--log'])).toMatchObject({ code: 0 })
    expect(jwz(['latest', 't'])).toMatchObject({ code: 0 })
  })
})

describe('a body far above the line limit', () => {
  it('reads back whole with every verb', () => {
    const { jwz, cwd } = freshBus()
    const body = `${'größer als eine Zeile\n'.repeat(scaled(850_000))}needle in the end`
    writeFileSync(join(cwd, 'body'), body)
    const { stdout } = jwz(['post', 't', '-F', 'body'])
    const id = stdout.trim()
    expect(jwz(['latest', 't']).stdout === `${body}\n`).toBe(true)
    expect(jwz(['show', id]).stdout.endsWith(`\n\n${body}\n`)).toBe(true)
    expect(jwz(['read', 't']).stdout.endsWith(`\n${body}\n`)).toBe(true)
    expect(JSON.parse(jwz(['read', 't', '--json']).stdout)[0].body === body).toBe(true)
    expect(jwz(['search', 'needle', '-q'])).toEqual(ok(`${id}\n`))
    expect(JSON.parse(jwz(['export', 't']).stdout).body === body).toBe(true)
    expect(jwz(['doctor', '--log'])).toMatchObject({ code: 0 })
    expect(readFileSync(join(cwd, '.jwz/topics/t.jsonl')).length).toBeLessThan(2000)
  })
})
