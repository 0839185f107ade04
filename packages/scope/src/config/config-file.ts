// The file of the user's settings. A repository has none: what it brings with it may neither start nor allow anything.
import type { Context } from '@switchyard/cli-kit'
import { makeFolder, orRefusedLater, readIfThere, realPathIfThere } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { dirname } from '@switchyard/ground/machine'
import { parseJson } from '@switchyard/ground/parse-json'
import { writeWhole } from '@switchyard/ground/whole-file'
import { transact } from '@switchyard/jsonl'
import { configPath } from './config-path.ts'
import { type Config, configSchema } from './config-schema.ts'
import { complaintOf } from './setting.ts'

type Env = Context['env']

/** The user's settings, empty where there is no file. Exits 2 on a file that is no such settings, naming the field. */
export function readConfig(env: Env): Config {
  return parseConfig(configPath(env), readIfThere(configPath(env)))
}

/** Changes the settings, one writer at a time. Exits 2 when what comes out would be none, and changes nothing then. */
export async function changeConfig(env: Env, change: (raw: unknown) => unknown): Promise<Config> {
  const named = configPath(env)
  makeFolder(dirname(named))
  // People keep their settings elsewhere, with a link to them.
  const path = realPathIfThere(named) ?? named
  return orRefusedLater('a setting was to be written', () =>
    transact(path, () => {
      const before = readIfThere(path)
      parseConfig(path, before)
      const after = `${JSON.stringify(change(before === undefined ? {} : parseJson(before)), null, 2)}\n`
      const config = parseConfig('the settings', after)
      if (after !== before) writeWhole(path, `${path}.draft`, after)
      return config
    }),
  )
}

/** What `configSchema` makes of settings in which nothing is set. */
const noSettings: Config = { v: 1, worktree: {}, types: {}, profiles: {}, agents: {}, notify: {} }

function parseConfig(where: string, text: string | undefined): Config {
  if (text === undefined) return noSettings
  const read = parseJson(text)
  const parsed = configSchema.safeParse(read)
  if (parsed.success) return parsed.data
  const what = read === undefined ? 'it is no JSON' : complaintOf(parsed.error)
  throw new Failure('usage', `expected settings in ${where}: ${what}`, { hint: 'scope config shows what there is' })
}
