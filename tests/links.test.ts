import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run, tempFolder, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'

const ulid = '01KAH5T5A9Q3VX0W8ZK4M2N7PB'
const hash = 'a'.repeat(64)
const file = { name: 'f', sha256: hash, bytes: 1 }
const attached = {
  v: 1,
  id: `${ulid.slice(0, -1)}C`,
  at: 1,
  topic: 'sent',
  from: 'eve',
  body: 'x',
  attachments: [file],
}
const secret = {
  jwz: `{"v":1,"id":"${ulid}","type":"message","topic":"t","at":1,"from":"eve","body":"SECRET"}\n`,
  tissue: `{"v":1,"id":"${ulid}","seq":1,"at":1,"by":"eve","type":"created","issue":"x-aaaa","title":"SECRET","status":"open","priority":2}\n`,
}

/** A repository that came with a link in its store, to a file or folder of its user's; what a command there did. */
function through(link: string, leads: 'file' | 'folder', tool: 'jwz' | 'tissue' | 'loop', args: readonly string[]) {
  const cwd = tempRepo()
  const outside = join(tempFolder('outside'), leads)
  if (leads === 'folder') mkdirSync(outside)
  const file = leads === 'folder' ? join(outside, 'file') : outside
  const text = secret[tool === 'tissue' ? tool : 'jwz']
  writeFileSync(file, text)
  if (!link.startsWith('.jwz')) mkdirSync(join(cwd, '.jwz/topics'), { recursive: true })
  if (link.startsWith('.tissue/') && link !== '.tissue/issues.jsonl') {
    mkdirSync(join(cwd, '.tissue'))
    writeFileSync(join(cwd, '.tissue/issues.jsonl'), secret.tissue.replace('SECRET', 'mine').replace('PB"', 'PC"'))
  }
  if (link.startsWith('.jwz/blobs/')) {
    mkdirSync(join(cwd, '.jwz/topics'), { recursive: true })
    writeFileSync(join(cwd, '.jwz/topics/sent.jsonl'), `${JSON.stringify(attached)}\n`)
  }
  mkdirSync(dirname(join(cwd, link)), { recursive: true })
  symlinkSync(outside, join(cwd, link))
  const done = run(tool, args, { cwd, env: { JWZ_AGENT: 'me' } })
  const after = { text: readFileSync(file, 'utf8') === text, beside: readdirSync(dirname(file)) }
  return { ...done, cwd, isUntouched: after.text && after.beside.join() === 'file' }
}

type Case = readonly [link: string, leads: 'file' | 'folder', tool: 'jwz' | 'tissue' | 'loop', args: readonly string[]]

const cases: readonly Case[] = [
  ['.jwz', 'folder', 'jwz', ['post', 't', '-m', 'x']],
  ['.jwz/topics', 'folder', 'jwz', ['post', 't', '-m', 'x']],
  ['.jwz/topics/t.jsonl', 'file', 'jwz', ['post', 't', '-m', 'x']],
  ['.jwz/topics/t.jsonl', 'file', 'jwz', ['read', 't']],
  ['.jwz/topics/t.jsonl', 'file', 'jwz', ['latest', 't']],
  [`.jwz/topics/t.${ulid}.jsonl`, 'file', 'jwz', ['read', 't']],
  ['.jwz/topics/a', 'folder', 'jwz', ['post', 'a:t', '-m', 'x']],
  ['.jwz/topics/a', 'folder', 'jwz', ['read', 'a:file']],
  ['.jwz/topics', 'folder', 'jwz', ['topic', 'list']],
  ['.jwz/blobs', 'folder', 'jwz', ['post', 't', '-m', 'x'.repeat(40_000)]],
  ['.jwz/blobs', 'folder', 'jwz', ['post', 't', '-m', 'x', '--attach', 'README.md']],
  [`.jwz/blobs/aa/${hash}`, 'file', 'jwz', ['show', attached.id, '--attachment', 'f']],
  ['.jwz/identities', 'folder', 'jwz', ['whoami', '--save', 'eve']],
  ['.jwz/cursors', 'folder', 'jwz', ['read', '--status']],
  ['.jwz/inboxes', 'folder', 'jwz', ['inbox', '--commit']],
  ['.jwz/inboxes/me.json', 'file', 'jwz', ['inbox']],
  ['.jwz/topics/t.jsonl.lock', 'folder', 'jwz', ['post', 't', '-m', 'x', '--key', 'k']],
  ['.tissue', 'folder', 'tissue', ['new', 'evil']],
  ['.tissue/issues.jsonl', 'file', 'tissue', ['new', 'evil']],
  ['.tissue/issues.jsonl', 'file', 'tissue', ['list']],
  ['.tissue/.gitignore', 'file', 'tissue', ['init', '--private']],
  ['.tissue/outbox', 'folder', 'tissue', ['new', 'evil']],
  ['.tissue/cache', 'folder', 'tissue', ['ready']],
  ['.tissue/archive', 'folder', 'tissue', ['history']],
  [`.tissue/archive/issues.${ulid}.jsonl`, 'file', 'tissue', ['history', 'x-aaaa']],
  ['.git/loop/queue', 'folder', 'loop', ['queue', 'list']],
  ['.worktrees', 'folder', 'loop', ['worktree', 'add', 'x']],
]

describe('a link in a store', () => {
  it.each(cases)('%s to a %s is refused by %s %j', (link, leads, tool, args) => {
    const { code, stdout, stderr, cwd, isUntouched } = through(link, leads, tool, args)
    expect(stdout).not.toContain('SECRET')
    expect(isUntouched).toBe(true)
    expect({ code, stderr }).toEqual({
      code: 5,
      stderr: expect.stringMatching(new RegExp(`^${tool}: ${cwd}/${link} is a link, .*\n$`)),
    })
  })
})
