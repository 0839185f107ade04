import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { redact } from '../src/secrets/redact.ts'

/** Letters and digits without meaning, put together here so that no scanner takes this file for a leak. */
const random = (length: number, alphabet = 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW') =>
  Array.from({ length }, (_, at) => alphabet[(at * 7 + length) % alphabet.length]).join('')
const digits = (length: number) => random(length, '0918273645')
const letters = (length: number) => random(length, 'aBcDeFgHiJkLmNoPqRsTuVwXyZ')

const secrets: readonly (readonly [rule: string, before: string, secret: string])[] = [
  ['aws', 'id = ', `AKIA${random(16, 'ABCDEFGH2345')}`],
  ['aws', '', `AWS_SECRET_ACCESS_KEY=${random(40)}`],
  ['privatekey', '', `-----BEGIN RSA PRIVATE KEY-----\n${random(64)}\n${random(64)}\n-----END RSA PRIVATE KEY-----`],
  ['npm', '//registry.npmjs.org/:_authToken=', `npm_${random(36)}`],
  ['basicauth', 'fetch("https://anna:', `p${random(11)}`],
  ['slack', 'hook = ', `xoxb-${digits(12)}-${random(24)}`],
  ['sendgrid', 'mail = ', `SG.${random(22)}.${random(43)}`],
  ['shopify', 'shop = ', `shpat_${random(32)}`],
  ['github', 'git = ', `ghp_${random(36)}`],
  ['github', 'git = ', `github_pat_${random(82)}`],
  ['gitlab', 'git = ', `glpat-${random(20)}`],
  ['grafana', 'graph = ', `glsa_${random(32)}_${digits(8)}`],
  ['openai', 'ai = ', `sk-${random(20)}T3BlbkFJ${random(20)}`],
  ['anthropic', 'ai = ', `sk-ant-api03-${random(93)}AA`],
  ['groq', 'ai = ', `gsk_${random(52)}`],
  ['huggingface', 'ai = ', `hf_${letters(34)}`],
  ['linear', 'plan = ', `lin_api_${random(40)}`],
  ['notion', 'plan = ', `ntn_${digits(11)}${random(35)}`],
  ['1password', 'vault = ', `ops_${Buffer.from(JSON.stringify({ email: random(100) })).toString('base64')}`],
  ['database-connection-string', 'db = "postgres://shop:', `p${random(11)}`],
  ['hashicorp-vault', 'vault = ', `hvs.${random(95)}`],
  ['vercel', 'host = ', `vcp_${random(56)}`],
  ['databricks', 'data = ', `dapi${random(32, 'abcdef0123456789')}`],
  ['docker', 'image = ', `dckr_pat_${random(27)}`],
  ['figma', 'draw = ', `figd_${random(43)}`],
  ['stripe', 'pay = ', `sk_live_${random(24)}`],
  ['google', 'map = ', `AIza${random(35)}`],
  ['jwt', 'cookie = ', `eyJ${random(20)}.eyJ${random(40)}.${random(43)}`],
  ['bearer', 'header = Bearer ', random(40)],
  ['assigned', 'const dbPassword = "', 'rosebud-1941x'],
  ['assigned', 'SESSION_SECRET=', random(20)],
]

test.each(secrets)(
  'a secret of the kind %s is taken out, and lines and columns stay',
  async (...[rule, before, secret]) => {
    const after = rule === 'basicauth' || rule === 'database-connection-string' ? '@host.org/x"\nnext' : '\nnext'
    const close = before.endsWith('"') ? '"' : ''
    const text = `first line\n${before}${secret}${close}${after}\n`
    const { text: redacted, found } = await redact(text)
    expect(found.map((one) => [one.rule, text.slice(one.start, one.end)])).toEqual([[rule, secret]])
    expect(redacted).not.toContain(secret)
    expect(redacted.split('\n').map((line) => line.length)).toEqual(text.split('\n').map((line) => line.length))
    expect(redacted.startsWith(`first line\n${before}`)).toBe(true)
    expect((await redact(redacted)).found).toEqual([])
    expect((await redact(`\t${text}`)).found[0]?.placeholder).toBe(found[0]?.placeholder)
  },
)

test('a comment in the text does not keep its secrets', async () => {
  const secret = `ghp_${random(36)}`
  const { text } = await redact(`// secretlint-disable\n${secret} // secretlint-disable-line\n`)
  expect(text).not.toContain(secret)
})

test('of a private key that is cut in two, both halves are taken out, and nothing around them', async () => {
  const lines = Array.from({ length: 20 }, (_, at) => random(64 - (at % 3)))
  const mark = (word: string) => `-----${word} RSA PRIVATE KEY-----`
  const first = `const before = 1\n${[mark('BEGIN'), ...lines.slice(0, 9)].join('\n')}`
  const second = `${[...lines.slice(9), mark('END')].join('\n')}\nconst after = 1\n`
  for (const text of [first, `${first}\n`, second, `${first}\n${second}`, first.replaceAll('\n', '\r\n')]) {
    const { text: redacted } = await redact(text)
    for (const line of lines) expect(redacted).not.toContain(line)
    for (const kept of ['const before = 1', 'const after = 1'])
      expect(redacted.includes(kept)).toBe(text.includes(kept))
    expect(redacted.split('\n').map((line) => line.length)).toEqual(text.split('\n').map((line) => line.length))
  }
})

test('two secrets of one kind are told apart, and CRLF stays', async () => {
  const [one, other] = [`ghp_${random(36)}`, `ghp_${random(36).split('').reverse().join('')}`]
  const { text, found } = await redact(`${one}\r\n${other}\r\n${one}\r\n`)
  expect(new Set(found.map(({ placeholder }) => placeholder)).size).toBe(2)
  expect(text.match(/\r\n/g)?.length).toBe(3)
})

test('ordinary code has none', async () => {
  const ordinary = [
    'const password = readPassword("Password: ")',
    "const token = tokens[at] ?? 'identifier1'",
    'login(username="bob", password=password, token=next_token_2)',
    'const apiKey = process.env["API_KEY_2"]',
    `password: "\${DB_PASSWORD_1}"`,
    "secret: '<your-secret-1>'",
    'https://example.org/a/b?c=1#d2',
    '"integrity": "sha512-h5YjLL1lfQ3xV0ZJb9p6R1u9P8eQ4g=="',
    'const sha = "3f786850e387550fdab836ed7e6dc881de23001b"',
    "import { tokenize } from './tokenize2.ts'",
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB',
  ]
  for (const text of ordinary) expect((await redact(text)).found, text).toEqual([])
  const folder = new URL('../src/', import.meta.url)
  for (const name of readdirSync(folder, { recursive: true }).map(String)) {
    if (!name.endsWith('.ts')) continue
    expect((await redact(readFileSync(new URL(name, folder), 'utf8'))).found, name).toEqual([])
  }
})

test('a megabyte of what nearly is one takes no longer than a megabyte', async () => {
  const begun = '-----BEGIN RSA PRIVATE KEY-----\n'.repeat(8_000)
  const almost = `${'password = "'.repeat(20_000)}${'a1'.repeat(200_000)}`
  for (const text of [begun, almost, 'eyJ'.repeat(100_000), 'Bearer '.repeat(50_000)]) {
    expect((await redact(text)).text.length).toBe(text.length)
  }
})
