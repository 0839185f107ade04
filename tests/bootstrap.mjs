// Makes a fresh clone ready: installs the locked packages when they are not there or not those of the lock file,
// and the programs some tests need (jq, tmux, nats-server) where the machine lets us.
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

const isThere = (program) => spawnSync('sh', ['-c', `PATH=$PATH:/usr/sbin command -v ${program}`]).status === 0
const missing = ['jq', 'tmux'].filter((program) => !isThere(program))
// Unpacked and not installed, because its package starts a service.
const nats = `${root}node_modules/.cache/nats-server`
const lacksNats = !isThere('nats-server') && !existsSync(`${nats}/usr/sbin/nats-server`)

if (process.env.npm_lifecycle_event?.startsWith('test') && (missing.length > 0 || lacksNats)) {
  const commands = [
    'command -v apt-get && apt-get update -qq',
    missing.length > 0 ? `apt-get install -y -qq ${missing.join(' ')}` : '',
    lacksNats
      ? 'mkdir -p "$NATS" && cd "$NATS" && apt-get download -qq nats-server && dpkg -x nats-server_*.deb .'
      : '',
  ]
  const script = commands.filter((command) => command !== '').join('; ')
  spawnSync('sh', ['-c', script], { env: { ...process.env, NATS: nats }, stdio: ['ignore', 2, 2] })
}
