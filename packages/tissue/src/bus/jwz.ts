// The bus's own tool, run as a program: `jwz lease` is the only way to its leases.

import type { Context } from '@switchyard/cli-kit'
import { cleanEnv, type Execution, execute } from '@switchyard/exec'
import { Failure } from '@switchyard/ground/failure'
import { parseJson } from '@switchyard/ground/parse-json'
import { isPlainObject } from '@switchyard/ground/plain-object'

/** A lease that was had: its keys as the bus keeps them. `isNew`: it was not held before. */
export type PathLease = { readonly id: string; readonly keys: readonly string[]; readonly isNew: boolean }

type BusScene = Pick<Context, 'cwd' | 'env' | 'now' | 'output'>
type Wanted = { readonly by: string; readonly ttlMs: number; readonly reason: string }

const timeoutMs = 60_000
const outputBytesMax = 1024 * 1024
const conflict = 5
const usage = 2

/**
 * Leases all of these paths and patterns, or keeps them for longer. Exits 5, naming who has what,
 * when another is in the way, and 8 when jwz cannot be run.
 */
export async function acquireLease(scene: BusScene, paths: readonly string[], wanted: Wanted): Promise<PathLease> {
  const startedAt = scene.now()
  const { by, ttlMs, reason } = wanted
  const said = ['--as', by, '--ttl', `${ttlMs}ms`, '--reason', reason]
  const result = await jwz(scene, ['lease', 'acquire', '--json', ...said, '--', ...paths.map(asPath)])
  if (result.exitCode === conflict)
    throw new Failure('conflict', saidIn(result.stderr).message, { hint: 'wait, or lease other paths' })
  if (result.exitCode !== 0) throw refused(result)
  noteAll(scene, result.stderr)
  const lease = parseJson(result.stdout)
  if (!isPlainObject(lease) || typeof lease['id'] !== 'string' || !isTexts(lease['keys']))
    throw new Failure('outside', 'expected a lease from jwz lease acquire, it printed something else')
  const { id, keys: stored, since } = lease
  return { id, keys: stored, isNew: typeof since !== 'number' || since >= startedAt }
}

/**
 * Keeps leases for longer, by keys as the bus keeps them. Exits 5 when another has one by now, 8 when they are gone or
 * jwz cannot be run.
 */
export async function renewLeases(scene: BusScene, keys: readonly string[], by: string, ttlMs: number): Promise<void> {
  const result = await jwz(scene, [
    'lease',
    'acquire',
    '--renew',
    '--json',
    '--as',
    by,
    '--ttl',
    `${ttlMs}ms`,
    '--',
    ...keys,
  ])
  if (result.exitCode !== 0) throw refused(result)
}

/**
 * Gives leases back, by id or by keys as the bus keeps them; what another has by now stays with them. Exits 8 when jwz
 * cannot be run.
 */
export async function releaseLeases(scene: BusScene, names: readonly string[], by: string): Promise<void> {
  const result = await jwz(scene, ['lease', 'release', '--json', '--as', by, '--', ...names])
  if (result.exitCode === 0) return
  if (result.exitCode !== conflict) throw refused(result)
  // All or none there: one that was lost must not keep the others.
  if (names.length > 1) for (const name of names) await releaseLeases(scene, [name], by)
}

/** To jwz a word without slash and wildcard is a name; here it is a file. */
function asPath(glob: string): string {
  return glob === '' || /[/*?]/.test(glob) ? glob : `./${glob}`
}

function jwz({ cwd, env }: BusScene, args: readonly string[]): Promise<Execution> {
  return execute(['jwz', ...args], { cwd, env: cleanEnv(env), timeoutMs, outputBytesMax })
}

/** The failure that jwz reported, in its own words. */
function refused({ exitCode, stderr, timedOut }: Execution): Failure {
  const { message, hint } = saidIn(stderr)
  if (exitCode === conflict) return new Failure('conflict', message, { hint })
  if (exitCode === usage) return new Failure('usage', message, { hint })
  const how = timedOut ? `did not end within ${timeoutMs / 1000} s` : `failed (exit ${exitCode}): ${message}`
  return new Failure('outside', `jwz lease ${how}`, { hint: 'try jwz doctor' })
}

/** With --json the last line on stderr is the error. */
function saidIn(stderr: string): { message: string; hint: string } {
  const last = stderr.trimEnd().split('\n').at(-1) ?? ''
  const record = parseJson(last)
  const error = isPlainObject(record) ? record['error'] : undefined
  if (!isPlainObject(error)) return { message: last, hint: '' }
  return { message: String(error['message']), hint: typeof error['hint'] === 'string' ? error['hint'] : '' }
}

function noteAll({ output }: BusScene, stderr: string): void {
  for (const line of stderr.split('\n')) if (line !== '') output.note(line)
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((element) => typeof element === 'string')
}
