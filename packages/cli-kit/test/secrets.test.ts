import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redact, redactorOf, secretMark, secretsOf } from '../src/secrets.ts'

const pem = '-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\n-----END RSA PRIVATE KEY-----'
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N'

describe('secrets by their form', () => {
  it.each([
    ['key sk-ant-api03-abcdefghijklmnop end', `key ${secretMark} end`],
    [`a ghp_${'a1'.repeat(18)}, b`, `a ${secretMark}, b`],
    [`github_pat_${'A1'.repeat(20)}`, secretMark],
    ['AKIAIOSFODNN7EXAMPLE', secretMark],
    ['xoxb-1234567890-abcdef', secretMark],
    [`AIza${'x'.repeat(35)}`, secretMark],
    [`token: ${jwt}!`, `token: ${secretMark}!`],
    [jwt, secretMark],
    ['sends Bearer abcdefghijklmnopqrst', `sends Bearer ${secretMark}`],
    ['tool --passphrase hunter2', `tool --passphrase ${secretMark}`],
    [`x\n${pem}\ny`, `x\n${secretMark}\ny`],
    [`x\n${pem.slice(0, 45)}`, `x\n${secretMark}`],
    ['https://ada:hunter2@host/x', `https://ada:${secretMark}@host/x`],
    ['https://aaaaaaaaaabbbbbbbbbbcc@host/x', `https://${secretMark}@host/x`],
    ['Authorization: Bearer abcdefghijklmnopqrst', `Authorization: Bearer ${secretMark}`],
    ['tool --password=hunter2 x', `tool --password=${secretMark} x`],
    [`tool --password 'hunter 2' x`, `tool --password ${secretMark} x`],
    ['mysql -u root -phunter2 -e x', `mysql -u root -p${secretMark} -e x`],
    ['API_KEY=abc123 npm test', `API_KEY=${secretMark} npm test`],
    ['curl -H "Authorization: Basic YWRhOmh1bnRlcg==" x', `curl -H "Authorization: Basic ${secretMark}" x`],
    ["-H 'authorization: token abc123def' x", `-H 'authorization: token ${secretMark}' x`],
    ['X-Api-Key: abc123def', `X-Api-Key: ${secretMark}`],
    ['tool --client-secret s3cret --api-key=k', `tool --client-secret ${secretMark} --api-key=${secretMark}`],
    ['tool --token "a b" x', `tool --token ${secretMark} x`],
    ['docker login -u ada -p hunter2 host', `docker login -u ada -p ${secretMark} host`],
    ['docker login -p hunter2 host', `docker login -p ${secretMark} host`],
    ['db -p hunter2 -h x --user ada', `db -p ${secretMark} -h x --user ada`],
    ['sshpass -p hunter2 ssh host', `sshpass -p ${secretMark} ssh host`],
    ['curl -u ada:hunter2 https://x', `curl -u ada:${secretMark} https://x`],
    ['curl --user=ada:hunter2 x', `curl --user=ada:${secretMark} x`],
    ['GET /?access_token=a1b2c3d4e5&x=1', `GET /?access_token=${secretMark}&x=1`],
    ['{"password":"hunter2","apiKey": "a1b2c3d4"}', `{"password":"${secretMark}","apiKey": "${secretMark}"}`],
    ['db password=hunter2 x', `db password=${secretMark} x`],
    [`DB_PASSWORD="a b" x`, `DB_PASSWORD=${secretMark} x`],
  ])('%j is told as %j', (text, told) => {
    expect(redact(text, [])).toBe(told)
    expect(redact(told, [])).toBe(told)
  })

  it.each([
    'git@github.com:a/b.git, ssh://git@host/x, https://host:8080/a@b',
    'mkdir -p src && ssh -p 2222 host && find . -print0',
    'API_KEY=$KEY npm test --password "$P"'.replace(' --password "$P"', ' --password $P'),
    'docker run -p 8080:80 -u 1000:1000 x; sudo -u ada mkdir -p src; docker exec -u app:app x; claude -p --verbose; mkdir -p a; tar -pxf a; git push -u origin main',
    'token = next(); token=undefined, f(token=None), max_tokens=4096000, --no-password x, --token-file /x, --password $P "$Q"',
    'docker build --secret id=npm,src=.npmrc --token "$TOKEN" .',
    'password=$P password: wrong; secret: see above; "token": null; Authorization: $HEADER',
    'the sk-learn package, eyJ, AKIA, BEGIN PUBLIC KEY, primary_key=id',
  ])('%j stays', (text) => {
    expect(redact(text, [])).toBe(text)
  })
})

describe('secrets of an environment', () => {
  const env = {
    MY_API_KEY: 'value-of-key',
    npm_token: 'value-of-token',
    PGPASSWORD: 'pass-word-1',
    KEY: 'short',
    HOME: '/home/ada-lovelace',
  }

  it('are the values of what is named so, from eight characters on, and the lines of long ones', () => {
    expect(secretsOf(env).sort()).toEqual(['pass-word-1', 'value-of-key', 'value-of-token'])
    expect(secretsOf({ SSH_KEY: pem.replaceAll('RSA ', '') })).toHaveLength(4)
    expect(redactorOf(env)('a value-of-key, /home/ada-lovelace')).toBe(`a ${secretMark}, /home/ada-lovelace`)
  })

  const value = fc.string({ minLength: 8, maxLength: 40 }).filter((text) => text.trim().length >= 8)

  it('are in no text any more, wherever they stood, and nothing is left to take out', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), fc.array(fc.string()), (values, parts) => {
        const secrets = secretsOf(Object.fromEntries(values.map((one, index) => [`A${index}_TOKEN`, one])))
        const told = redact(parts.join(values[0]) + values.join(parts[0] ?? ' '), secrets)
        for (const secret of secrets.filter((one) => !secretMark.includes(one))) {
          expect(told.replaceAll(secretMark, '').includes(secret) && told.includes(secret)).toBe(false)
        }
        expect(redact(told, secrets)).toBe(told)
      }),
    )
  })

  it('take no longer for a text made to be slow', () => {
    const mebibyte = (text: string) => text.repeat(Math.ceil(1048576 / text.length))
    for (const text of [
      'a.',
      'eyJ-',
      'mysql ',
      'A_',
      '://',
      '-----BEGIN PRIVATE KEY-----',
      'aaaa://a',
      'PASSWORD',
      ' -p x',
      ' -u a',
      'login ',
      'a-',
      'token=',
    ]) {
      expect(redact(mebibyte(text), []).length).toBeGreaterThan(0)
    }
  })
})
