import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Context } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/cli-kit/failure'
import { type Draft, identify, readGitContext, type Store } from '@switchyard/topic'

type Flags = {
  message: string | undefined
  file: string | undefined
  as: string | undefined
  role: string | undefined
  model: string | undefined
  to: readonly string[]
  tag: readonly string[]
  data: string | undefined
}

/** Text from bytes, byte for byte; fails as bad input when they are not UTF-8, because JSON could not keep them. */
export function decodeBody(bytes: Uint8Array): string {
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
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new Failure('usage', `cannot read the message from ${path}: ${error.code}`)
  }
}

function readData(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new Failure('usage', `--data takes one JSON value; got ${JSON.stringify(text.slice(0, 60))}`, {
      hint: 'quote it for the shell: --data \'{"iteration":3}\'',
    })
  }
}

/** The body that `-m`, `-F` or `-` gives, exactly as it came. Fails as bad input when there is none, or more than one. */
export function readBody({
  cwd,
  input,
  flags,
  source,
}: Pick<Context, 'cwd' | 'input'> & { flags: Flags; source: string | undefined }): string {
  if (source !== undefined && source !== '-') {
    throw new Failure('usage', `a message comes from -m, -F or - (stdin); got ${JSON.stringify(source)}`, {
      hint: `put it behind -m`,
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

/** What is the same for every message of one call: who speaks, as what, to whom, from where in the repository. */
export function envelope(
  { cwd, env, flags }: Pick<Context, 'cwd' | 'env'> & { flags: Flags },
  store: Store,
): Omit<Draft, 'topic' | 'body'> {
  const { role, model, to, tag, data } = flags
  return {
    from: identify({ as: flags.as, env }),
    ...(role === undefined ? {} : { role }),
    ...(model === undefined ? {} : { model }),
    ...(to.length === 0 ? {} : { to: [...to] }),
    ...(tag.length === 0 ? {} : { tags: [...tag] }),
    ...(data === undefined ? {} : { data: readData(data) }),
    ...(store.repository ? { git: readGitContext(store.repository, cwd) } : {}),
  }
}
