import { join } from 'node:path'
import { Failure } from '@switchyard/cli-kit/failure'
import { baseOf, readIfThere, type Store } from '@switchyard/topic'
import { z } from 'zod'
import { type Config, configSchema } from './config-schema.ts'

export const configName = 'loop.json'

/**
 * The folder that `loop.json` lies in: a function of the repository alone, so that all its worktrees agree, also for
 * who has a store elsewhere. It is the top of the main tree; git's own folder where that is no `.git` beside one.
 */
export function configRootOf({ repository, base }: Pick<Store, 'repository' | 'base'>): string {
  return repository === undefined ? base : baseOf(repository.commonDir)
}

/** The project's settings, with what they leave out filled in. Failure `usage` that names the field at fault. */
export function readConfig(root: string): Config {
  const path = join(root, configName)
  return parseConfig(readIfThere(path) ?? '{}', path)
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
