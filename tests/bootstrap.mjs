// Makes a fresh clone ready: installs the locked packages when they are not there or not those of the lock file,
// and the two programs some tests compare with (jq, tmux) where the machine lets us.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const lock = readFileSync(`${root}package-lock.json`, 'utf8')
const stamp = `${root}node_modules/.switchyard-lock`

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
  const { status } = spawnSync('npm', ['ci', '--no-fund', '--no-audit'], { cwd: root, stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(status ?? 1)
  writeFileSync(stamp, lock)
}

const missing = ['jq', 'tmux'].filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0)
if (missing.length > 0 && process.env.npm_lifecycle_event?.startsWith('test')) {
  spawnSync('sh', ['-c', `command -v apt-get && apt-get update -qq && apt-get install -y -qq ${missing.join(' ')}`], {
    stdio: ['ignore', 2, 2],
  })
}
