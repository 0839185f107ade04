// What nobody but its own tool, or the person, changes: stores, and the settings that keep the guard in place.
import { join } from 'node:path'
import { onceFor } from './once-for.ts'
import type { Scene } from './scene.ts'

const stores = ['.jwz', '.tissue', '.scope', '.deepscan']

/** The stores of the repository, in its main tree and in this worktree. */
export const storesOf = onceFor(({ repository, root }: Scene): readonly string[] => {
  if (repository === undefined || root === undefined) return []
  return [...new Set([root, repository.top])].flatMap((folder) => stores.map((name) => join(folder, name)))
})

const settingsIn = ['.claude', '.codex', '.gemini', '.opencode', 'opencode.json', 'opencode.jsonc', 'loop.json']
const settingsFiles =
  /^(?:\.claude\/settings[^/]*\.json|\.claude\/hooks|\.codex\/(?:hooks\.json|config\.toml)|\.gemini\/settings\.json|\.opencode\/plugins?|opencode\.jsonc?|loop\.json)(?:\/|$)/

/** The folders whose settings count: the person's and the project's. */
export const settingsOf = onceFor(({ world, repository, root, cwd }: Scene): readonly string[] => {
  const folders = [world.home, repository?.top ?? cwd, root ?? cwd]
  return [...new Set(folders)].flatMap((folder) => settingsIn.map((name) => join(folder, name)))
})

/** Whether a path is a file of these settings, in whatever case a disk may take its name. */
export function isSettingsFile(path: string, { world, repository, root, cwd }: Scene): boolean {
  return [world.home, repository?.top ?? cwd, root ?? cwd].some(
    (folder) => path.startsWith(`${folder}/`) && settingsFiles.test(path.slice(folder.length + 1).toLowerCase()),
  )
}

/** Whether a path is one of these settings, or a folder that has them. */
export function isShielded(path: string, settings: readonly string[]): boolean {
  return settings.some((place) => {
    const folder = place.replace(/\/[^/]+$/, '')
    if (path === place) return true
    return path.startsWith(`${folder}/`) && settingsFiles.test(path.slice(folder.length + 1))
  })
}
