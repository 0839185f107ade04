// Makes a fresh clone ready: installs the locked packages when they are not there or not those of the lock file,
// and for tests the programs that they run. Where those cannot be had, one line says what to install, and nothing runs.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { makeProgramsReady } from './programs/ready.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

if (!isInstalled()) {
  const { status } = spawnSync('npm', ['ci', '--no-fund', '--no-audit'], { cwd: root, stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(status ?? 1)
}

if (process.env.npm_lifecycle_event?.startsWith('test')) {
  const folder = `${root}node_modules/.cache/programs`
  const complaint = makeProgramsReady({ folder, env: process.env, say: (line) => process.stderr.write(`${line}\n`) })
  if (complaint) {
    process.stderr.write(`${complaint}\n`)
    process.exit(1)
  }
}

/** Whether what npm says it has installed, by whoever's hand, is what the lock file names; other platforms' packages apart. */
function isInstalled() {
  const installed = packagesOf('node_modules/.package-lock.json')
  const locked = packagesOf('package-lock.json')
  const names = Object.keys(locked).filter((name) => name !== '')
  return (
    installed !== undefined &&
    names.every((name) => locked[name].optional || name in installed) &&
    Object.keys(installed).every((name) => installed[name].version === locked[name]?.version)
  )
}

function packagesOf(name) {
  return existsSync(root + name) ? JSON.parse(readFileSync(root + name, 'utf8')).packages : undefined
}
