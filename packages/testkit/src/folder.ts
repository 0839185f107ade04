import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const made: string[] = []
const tries = 600
const tryMs = 50

/** Removes what `tempFolder` has made; a module that keeps the path of such a folder looks whether it is still there. */
export function removeFolders(): void {
  for (const folder of made.splice(0)) remove(folder)
}

function remove(folder: string): void {
  try {
    removeBusy(folder)
  } catch (error) {
    if (!hasCode(error, 'EACCES')) throw error
    // What a test has locked is in the way of whoever is not root.
    spawnSync('chmod', ['-R', 'u+rwX', folder], { stdio: 'ignore' })
    removeBusy(folder)
  }
}

/**
 * Removes a folder, or nothing, also while processes go on to write in it: what has come meanwhile is another try, for
 * half a minute. `maxRetries` of `rmSync` does not look into a folder again, and fails where one file has come.
 */
export function removeBusy(folder: string): void {
  for (let turn = 1; ; turn++) {
    try {
      rmSync(folder, { recursive: true, force: true })
      return
    } catch (error) {
      if (!hasCode(error, 'ENOTEMPTY') || turn === tries) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, tryMs)
    }
  }
}

const hasCode = (error: unknown, code: string) => error instanceof Error && 'code' in error && error.code === code

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
