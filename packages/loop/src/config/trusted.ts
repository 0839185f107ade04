// Which loop.json this person has trusted on this machine: a copy of the very text, in the user's own folder, where no
// repository can put one.

import { statAt } from '@switchyard/ground/at-path'
import { makeFolder, orRefused, readStored } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { fnv1a } from '@switchyard/ground/fnv1a'
import { join, rmSync } from '@switchyard/ground/machine'
import { closedFolder, type Env, orNothing, stateFolders } from '@switchyard/ground/state-folder'
import { writeWhole } from '@switchyard/ground/whole-file'

/** `root` is the folder that loop.json lies in, `config` its text, `at` milliseconds since 1970. */
type Trusted = { v: 1; root: string; config: string; at: number }

/** Whether the text is what was trusted for that folder. */
export function isTrusted(root: string, text: string, env: Env): boolean {
  return readTrusted(root, env)?.config === text
}

/** Trusts the text, in the place of what was trusted before. Failure `failed` where this machine keeps nothing. */
export function keepTrust(root: string, config: string, { env, now }: { env: Env; now: number }): void {
  for (const candidate of stateFolders(env)) {
    const folder = closedFolder(candidate, env)
    if (folder === undefined) continue
    const path = fileIn(folder, root)
    orRefused(`${path} was to be written`, () => {
      makeFolder(join(folder, 'trusted'))
      const trusted: Trusted = { v: 1, root, config, at: now }
      writeWhole(path, `${path}.draft`, `${JSON.stringify(trusted)}\n`)
    })
    return
  }
  throw new Failure('failed', 'expected a folder of your own to keep this in, there is none', {
    hint: 'see docs/security.md: who is trusted with what',
  })
}

/** Forgets what was trusted for that folder; whether anything was. */
export function dropTrust(root: string, env: Env): boolean {
  const paths = keptFolders(env).map((folder) => fileIn(folder, root))
  const kept = paths.filter((path) => statAt(path) !== undefined)
  for (const path of kept) orRefused(`${path} was to be removed`, () => rmSync(path, { force: true }))
  return kept.length > 0
}

function readTrusted(root: string, env: Env): Trusted | undefined {
  for (const folder of keptFolders(env)) {
    const found = parseTrusted(orNothing(() => readStored(fileIn(folder, root))))
    if (found?.root === root) return found
  }
  return undefined
}

/** Only those that are there: who asks makes nothing. */
function keptFolders(env: Env): string[] {
  return stateFolders(env).flatMap((path) => (statAt(path) === undefined ? [] : (closedFolder(path, env) ?? [])))
}

const fileIn = (folder: string, root: string) =>
  join(folder, 'trusted', `${fnv1a(root).toString(16).padStart(8, '0')}.json`)

function parseTrusted(text: string | undefined): Trusted | undefined {
  try {
    const read: unknown = JSON.parse(text ?? '')
    if (typeof read !== 'object' || read === null || !('root' in read && 'config' in read)) return undefined
    const { root, config } = read
    return typeof root === 'string' && typeof config === 'string' ? { v: 1, root, config, at: 0 } : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
