// The programs that tests run, and where this machine has them.
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** System programs that stand in folders which are not on everybody's PATH. */
const systemFolders = ['/usr/sbin', '/usr/local/sbin', '/sbin']

/** `name` is what tests call it; `also` are its other names; `packages` are those of Debian and its kin, the first that is there counts. */
export const neededPrograms = [
  { name: 'jq', asks: '--version', packages: ['jq'] },
  { name: 'tmux', asks: '-V', packages: ['tmux'] },
  { name: 'nats-server', asks: '--version', packages: ['nats-server'] },
  { name: 'bwrap', asks: '--version', packages: ['bubblewrap'], on: 'linux' },
  {
    name: 'chromium',
    asks: '--version',
    packages: ['chromium-headless-shell', 'chromium'],
    also: [
      'chromium-headless-shell',
      'chrome-headless-shell',
      'google-chrome',
      'google-chrome-stable',
      'chromium-browser',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    ],
  },
]

/** Whether a program starts: a name alone may be that of a placeholder, or of one whose libraries are gone. */
export function starts(path, asks) {
  return spawnSync(path, [asks], { stdio: 'ignore', timeout: 60_000 }).status === 0
}

/**
 * The file of a program that starts, and whether `path` finds it under the name that tests use; undefined where there is
 * none.
 */
export function findProgram({ name, also = [], asks }, path, others = systemFolders) {
  const onPath = path.split(delimiter).filter(Boolean)
  for (const candidate of [name, ...also])
    for (const folder of candidate.startsWith('/') ? [''] : [...onPath, ...others]) {
      const file = join(folder, candidate)
      if (isProgram(file) && starts(file, asks)) return { file, isFound: candidate === name && onPath.includes(folder) }
    }
  return undefined
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
