import { join } from 'node:path'
import { Failure } from '@switchyard/ground/failure'
import { rootOf } from '@switchyard/ground/repository'
import type { Env } from '@switchyard/ground/state-folder'
import type { Store } from '@switchyard/topic'
import { z } from 'zod'
import { type Config, configSchema } from './config-schema.ts'
import { configName, readConfigText } from './config-text.ts'
import { isTrusted } from './trusted.ts'
import { howToTrust, waitingWords } from './waiting-words.ts'
import { type ProjectConfig, withhold } from './withhold.ts'

/**
 * The folder that `loop.json` lies in: a function of the repository alone, so that all its worktrees agree, also for
 * who has a store elsewhere. It is the top of the main tree; git's own folder where that is no `.git` beside one.
 */
export function configRootOf({ repository, root }: Pick<Store, 'repository' | 'root'>): string {
  return repository === undefined ? root : rootOf(repository.commonDir)
}

/**
 * The project's settings, with what they leave out filled in. What waits for the person's trust is left out and named;
 * without an environment, which names where trust is kept, that is all of it. Failure `usage` that names the field at
 * fault.
 */
export function readConfig(root: string, env?: Env): ProjectConfig {
  const text = readConfigText(root)
  const config = parseConfig(text ?? '{}', join(root, configName))
  const held = withhold(config)
  const isMeant = held.waits.length === 0 || (env !== undefined && text !== undefined && isTrusted(root, text, env))
  return isMeant ? { ...config, waits: [] } : held
}

/** Fails as `conflict` where one of these settings waits for trust: it would be left out, and nobody would know. */
export function requireTrusted({ waits }: Pick<ProjectConfig, 'waits'>, ...names: string[]): void {
  const waiting = waits.filter((name) => names.includes(name))
  if (waiting.length > 0) throw waitsFailure(waiting)
}

/** Says which settings wait, and what to type. */
function waitsFailure(waits: readonly string[]): Failure {
  return new Failure('conflict', `${configName} ${waitingWords(waits)}`, { hint: howToTrust, retryable: false })
}

/** Settings from their text; `path` is what a failure names. */
export function parseConfig(text: string, path: string): Config {
  const read = configSchema.safeParse(readJson(text, path))
  if (read.success) return read.data
  const [problem] = read.error.issues
  const where = problem === undefined || problem.path.length === 0 ? '' : ` at ${z.core.toDotPath(problem.path)}`
  throw new Failure(
    'usage',
    `expected settings in ${path}, got something else${where}: ${problem?.message ?? 'no JSON'}`,
    {
      hint: 'see loop schema config',
    },
  )
}

function readJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new Failure('usage', `expected JSON in ${path}: ${error.message}`, { hint: 'see loop schema config' })
  }
}
