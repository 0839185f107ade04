import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const made: string[] = []

/** Removes what `tempFolder` has made; a module that keeps the path of such a folder looks whether it is still there. */
export function removeFolders(): void {
  for (const folder of made.splice(0)) remove(folder)
}

function remove(folder: string): void {
  const options = { recursive: true, force: true, maxRetries: 5 }
  try {
    rmSync(folder, options)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EACCES')) throw error
    // What a test has locked is in the way of whoever is not root.
    spawnSync('chmod', ['-R', 'u+rwX', folder], { stdio: 'ignore' })
    rmSync(folder, options)
  }
}

/** Removes a folder, or nothing, also while processes go on to write in it: each of their files is another try. */
export function removeBusy(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 })
}

/** A new folder of its own (real path), removed when the test file ends. */
export function tempFolder(name = 'test', within = tmpdir()): string {
  const folder = realpathSync(mkdtempSync(join(within, `switchyard-${name}-`)))
  made.push(folder)
  return folder
}

/** Writes an executable file, such as a scripted agent; makes its folder. */
export function script(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  chmodSync(path, 0o755)
}
