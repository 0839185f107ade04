// What is wrong in the repository here: its settings and its bus.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { busExists, locateStore, type Store, topicsFolder } from '@switchyard/topic'
import { type Finding, ok, warn } from '@switchyard/topic/examine/finding'
import { examineAccess, examineFileSystem } from '@switchyard/topic/examine/place'
import { examineTracked } from '@switchyard/topic/examine/tracked'
import { configName } from '../config/config-text.ts'
import { configRootOf, readConfig } from '../config/read-config.ts'
import { howToTrust, waitingWords } from '../config/waiting-words.ts'

type Where = { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> }

/** Looks at `loop.json`. Failure `usage` when it is not what it should be. */
export function examineConfig(store: Store, { cwd, env }: Where): Finding[] {
  const top = store.repository?.top ?? cwd
  readConfig(top)
  const { waits } = readConfig(configRootOf(store), env)
  if (waits.length > 0) return [warn(configName, waitingWords(waits), howToTrust)]
  const isThere = existsSync(join(top, configName))
  return [ok(configName, isThere ? 'is valid' : 'is not there: defaults and flags decide; loop init writes one')]
}

/** Looks at whether the bus can be written. */
export function examineBus({ cwd, env }: Where): Finding[] {
  const store = locateStore({ cwd, env, name: '.jwz', variable: 'JWZ_STORE' })
  if (!busExists(store)) return [ok('bus', `${store.path} is not made yet; the first loop makes it`)]
  const disk = 'keep the bus on a local disk: JWZ_STORE says where'
  const access = examineAccess(topicsFolder(store), store, 'give this user the right to write there')
  return [access, examineFileSystem(store.path, disk), ...examineTracked(store)].map((finding) => ({
    ...finding,
    check: 'bus',
  }))
}
