// What the lease verbs do around their decision: who acts, on which keys of which store, and the news of it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '@switchyard/cli-kit'
import { Failure, isFailure } from '@switchyard/ground/failure'
import { isUlid } from '@switchyard/ground/ulid'
import { identify, type Store } from '@switchyard/topic'
import { openStore } from '../store/store.ts'
import type { Target } from './decide.ts'
import { isPathKey, parseKey } from './key.ts'
import { changeLeases, type Decide, type LeaseChange, leaseLog, readLeases } from './log.ts'

/** The part of a call that says where and who. */
export type LeaseScene = Pick<Context, 'cwd' | 'env' | 'now' | 'output'> & {
  readonly flags: { readonly store: string | undefined; readonly as: string | undefined }
}

export const asFlag = { as: { type: 'string', value: 'NAME', summary: 'Act under this name' } } as const

export const ttlFlag = {
  ttl: { type: 'duration', default: '30m', summary: 'It ends after this long, unless it is renewed' },
} as const

/** The keys of a lease together, in bytes: with them, a record stays far below a line's 32 KB. */
const keysBytesMax = 8000
const reasonLengthMax = 500

/** The name that a call acts under. */
export function nameOf({ env, flags }: Pick<LeaseScene, 'env' | 'flags'>, store: Store): string {
  return identify({ as: flags.as, env, store })
}

/** Keys as they are stored, sorted, each once. */
export function keysOf(scene: Pick<LeaseScene, 'cwd'>, store: Store, texts: readonly string[]): string[] {
  const top = store.repository?.top ?? store.root
  const keys = [...new Set(texts.map((text) => parseKey(text, { cwd: scene.cwd, top })))].sort()
  const bytes = Buffer.byteLength(keys.join(' '))
  if (bytes > keysBytesMax) {
    throw new Failure('usage', `the keys of a lease have at most ${keysBytesMax} bytes; got ${bytes}`, {
      hint: 'use a pattern, such as src/**',
    })
  }
  return keys
}

/** Says of names that are also those of files here that the files are not meant. */
export function noteFiles({ cwd, output }: Pick<LeaseScene, 'cwd' | 'output'>, texts: readonly string[]): void {
  for (const text of texts) {
    if (isPathKey(text) || !existsSync(join(cwd, text))) continue
    output.note(`${text} is taken as a name, not as the file that is here; ./${text} is the file`)
  }
}

/**
 * Leases as a command line names them: a word with the form of an id is one, unless a lease is on it; any other is a
 * key.
 */
export function targetsOf(scene: Pick<LeaseScene, 'cwd'>, store: Store, texts: readonly string[]): Target[] {
  const current = texts.some(isUlid) ? [...readLeases(leaseLog(store)).leases.current.values()] : []
  const isKey = (text: string) => !isUlid(text) || current.some(({ keys }) => keys.includes(text))
  return texts.map((text) => {
    const [key = ''] = isKey(text) ? keysOf(scene, store, [text]) : []
    return key === '' ? { id: text } : { key }
  })
}

/** A reason as it is given. Fails as bad input when it is empty, too long or has control characters. */
export function checkReason(reason: string | undefined): string | undefined {
  if (reason === undefined || (reason.trim() !== '' && reason.length <= reasonLengthMax && !/\p{Cc}/u.test(reason)))
    return reason
  throw new Failure('usage', `--reason takes 1 to ${reasonLengthMax} characters on one line; got ${reason.length}`)
}

/** How long a lease is to last, in milliseconds. Fails as bad input on one that would be over at once. */
export function checkTtl(ttlMs: number): number {
  if (ttlMs > 0) return ttlMs
  throw new Failure('usage', '--ttl takes a time above 0; got 0', { hint: 'jwz lease release gives a lease back' })
}

/** Writes what `decide` asks for, then tells the bus. */
export async function change(scene: LeaseScene, targets: readonly Target[], decide: Decide): Promise<LeaseChange> {
  const store = openStore(scene)
  const author = { from: nameOf(scene, store), now: scene.now }
  const done = await changeLeases(store, author, decide, { whole: asksForOld(store, targets) })
  if (done.written.length > 0) await tell(scene, store, done)
  return done
}

/** Only the whole log knows how a lease ended that is not there any more. */
function asksForOld(store: Store, targets: readonly Target[]): boolean {
  const ids = targets.flatMap((target) => ('id' in target ? [target.id] : []))
  if (ids.length === 0) return false
  const { current } = readLeases(leaseLog(store)).leases
  return ids.some((id) => !current.has(id))
}

/** What is in the log is done: a feed that cannot be written is only worth a word. */
async function tell({ now, output }: LeaseScene, store: Store, done: LeaseChange): Promise<void> {
  try {
    const { publishLeases } = await import('./lease-feed.ts')
    await publishLeases(store, done, now())
  } catch (error) {
    if (!isFailure(error)) throw error
    output.note(`done, but not told on jwz:lease: ${error.message}`)
  }
}
