import type { Context } from '@switchyard/cli-kit'
import { Failure, systemCode } from '@switchyard/ground/failure'
import { readFileSync, resolve } from '@switchyard/ground/machine'
import { isTooDeep } from '@switchyard/jsonl'
import { type Draft, identify, nameMeant, readGitContext, type Store } from '@switchyard/topic'

type Flags = {
  message: string | undefined
  file: string | undefined
  as: string | undefined
  role: string | undefined
  model: string | undefined
  to: readonly string[]
  tag: readonly string[]
  data: string | undefined
  urgent: boolean
}

/** Bytes a body may have; more is not even looked at. */
const bodyBytesMax = 64 * 1024 * 1024

/** Text from bytes, byte for byte; fails as bad input when they are not UTF-8, because JSON could not keep them. */
export function decodeBody(bytes: Uint8Array): string {
  if (bytes.length > bodyBytesMax) {
    throw new Failure('usage', `a message has at most ${bodyBytesMax} bytes; got ${bytes.length}`, {
      hint: 'post the path of a file instead',
    })
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new Failure('usage', 'a message is UTF-8 text, but this has other bytes', {
      hint: 'post the path of a binary file instead',
    })
  }
}

function readBodyFile(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    throw new Failure('usage', `cannot read the message from ${path}: ${code}`)
  }
}

function readData(text: string): unknown {
  // Inside the message it is one level deeper.
  if (isTooDeep(`[${text}]`)) throw new Failure('usage', '--data takes a value of less than 1000 levels; got more')
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new Failure('usage', `--data takes one JSON value; got ${JSON.stringify(text.slice(0, 60))}`, {
      hint: 'quote it for the shell: --data \'{"iteration":3}\'',
    })
  }
}

type BodySource = Pick<Context, 'cwd' | 'input'> & { flags: Flags; source: string | undefined }

/**
 * The body that `-m`, `-F` or `-` gives, exactly as it came. Fails as bad input when there is none, an empty one, or
 * more than one.
 */
export function readBody(call: BodySource): string {
  const body = readGiven(call)
  if (body === '') throw new Failure('usage', 'a message has some text; got an empty one')
  return body
}

function readGiven({ cwd, input, flags, source }: BodySource): string {
  if (source !== undefined && source !== '-') {
    throw new Failure('usage', `a message comes from -m, -F or - (stdin); got ${JSON.stringify(source)}`, {
      hint: 'put it behind -m',
    })
  }
  const given = [flags.message, flags.file, source].filter((value) => value !== undefined)
  if (given.length !== 1) {
    throw new Failure(
      'usage',
      `a message comes from one of -m TEXT, -F FILE or - (stdin); got ${given.length === 0 ? 'none' : given.length}`,
    )
  }
  if (flags.message !== undefined) return flags.message
  if (source === '-' || flags.file === '-') return decodeBody(input.readAll())
  return decodeBody(readBodyFile(resolve(cwd, flags.file ?? '')))
}

/** When a message with this `--ttl` (milliseconds) expires, as a part of its draft. */
export function lifetime(ttl: number | undefined, now: number): Pick<Draft, 'expires'> {
  if (ttl === 0) throw new Failure('usage', '--ttl takes a time above 0; got 0')
  return ttl === undefined ? {} : { expires: now + ttl }
}

/** Its `--key`, as a part of a message's draft. */
export function keyOf(key: string | undefined): Pick<Draft, 'key'> {
  return key === undefined ? {} : { key: requireText('key', key) }
}

/** A word that a flag gives; empty, it would be kept and mean nothing. */
function requireText(flag: string, text: string): string {
  if (text.trim() === '' || /\p{Cc}/u.test(text)) {
    throw new Failure('usage', `--${flag} takes text without control characters; got ${JSON.stringify(text)}`)
  }
  return text
}

/** What is the same for every message of one call: who speaks, as what, to whom, from where in the repository. */
export function envelope(
  { cwd, env, flags }: Pick<Context, 'cwd' | 'env'> & { flags: Flags },
  store: Store,
): Omit<Draft, 'topic' | 'body'> {
  const { role, model, to, tag, data, urgent } = flags
  const from = identify({ as: flags.as, env, store })
  return {
    from,
    ...(role === undefined ? {} : { role: requireText('role', role) }),
    ...(model === undefined ? {} : { model: requireText('model', model) }),
    ...(to.length === 0 ? {} : { to: to.map((name) => nameMeant(requireText('to', name), () => from)) }),
    ...(tag.length === 0 ? {} : { tags: tag.map((text) => requireText('tag', text)) }),
    ...(data === undefined ? {} : { data: readData(data) }),
    ...(urgent ? { urgent } : {}),
    ...(store.repository ? { git: readGitContext(store.repository, cwd) } : {}),
  }
}

/**
 * Whom an answer is addressed to where its sender does not say: the author of what it answers, so that it reaches their
 * inbox. What answers one's own message goes to those whom that one was for.
 */
export function answerTo(
  { from, to }: Pick<Draft, 'from' | 'to'>,
  answered: Pick<Draft, 'from' | 'to'>,
): Pick<Draft, 'to'> {
  if (to !== undefined) return {}
  if (answered.from !== from) return { to: [answered.from] }
  return answered.to === undefined ? {} : { to: answered.to }
}

/** Calls `post` with what `--attach` adds to a draft; the files are in the store by then. */
export async function withFiles<T>(
  call: Pick<Context, 'cwd' | 'now'> & { flags: { attach: readonly string[] } },
  store: Store,
  post: (files: Pick<Draft, 'attachments'>) => Promise<T>,
): Promise<T> {
  if (call.flags.attach.length === 0) return post({})
  const { postWithFiles } = await import('./attach.ts')
  return postWithFiles(call, store, post)
}
