// How to get to the server and who we are there.
import { readFileSync } from 'node:fs'
import { orRefused } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'

/** Servers as `host:port`, and what they are told. `hasOpenSecret` says that a secret came on the command line. */
export type Access = {
  servers: string[]
  isTls: boolean
  user?: string | undefined
  password?: string | undefined
  token?: string | undefined
  creds?: Uint8Array | undefined
  hasOpenSecret: boolean
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * Understands `--nats` or NATS_URL (one URL or several joined by commas), `--creds` or NATS_CREDS, and NATS_USER with
 * NATS_PASSWORD or NATS_TOKEN. What stands in a URL counts for all. Fails as bad input.
 */
export function readAccess(given: { nats: string | undefined; creds: string | undefined }, env: Env): Access {
  const text = given.nats ?? env['NATS_URL']
  if (text === undefined) {
    throw new Failure('usage', 'expected --nats URL, got nothing', { hint: 'for example --nats nats://localhost:4222' })
  }
  const urls = text.split(',').map(parseUrl)
  const secret = urls.find(({ username }) => username !== '')
  const file = given.creds ?? env['NATS_CREDS']
  const inUrl = secret && {
    user: secret.password === '' ? undefined : decodeURIComponent(secret.username),
    password: secret.password === '' ? undefined : decodeURIComponent(secret.password),
    token: secret.password === '' ? decodeURIComponent(secret.username) : undefined,
  }
  const inEnv = { user: env['NATS_USER'], password: env['NATS_PASSWORD'], token: env['NATS_TOKEN'] }
  return {
    servers: urls.map(({ host, port }) => (port === '' ? `${host}:4222` : host)),
    isTls: urls.some(({ protocol }) => protocol === 'tls:'),
    ...(inUrl ?? inEnv),
    creds: file === undefined ? undefined : readCreds(file),
    hasOpenSecret: secret !== undefined && given.nats !== undefined,
  }
}

function readCreds(file: string): Uint8Array {
  const creds = orRefused(`the credentials ${file} were to be read`, () => readFileSync(file))
  const text = creds.toString()
  if (text.includes('NATS USER JWT') && text.includes('USER NKEY SEED')) return creds
  throw new Failure('usage', `expected NATS credentials in ${file}, got something else`, {
    hint: 'nsc generate creds makes them',
  })
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) && /^[a-z]+:\/\//.test(text) ? new URL(text) : undefined
  if (url && ['nats:', 'tls:'].includes(url.protocol) && url.hostname !== '') return url
  // Not what came: there may be a password in it.
  throw new Failure('usage', 'expected a URL such as nats://host:4222 or tls://host:4222, got something else')
}
