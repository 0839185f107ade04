// `npm run test:agents [-- NAME]`: the real clients, of the versions below, against a scripted model. Never part of `npm test`:
// the network is needed once, for npm. Then nothing but the loopback is reachable, where the system lets us have that.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const clients = {
  '@anthropic-ai/claude-code': '2.1.330',
  '@openai/codex': '0.169.0',
  '@google/gemini-cli': '0.61.0',
  'opencode-ai': '1.18.33',
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = process.env.SWITCHYARD_AGENTS ?? join(root, 'node_modules/.cache/agents')

const missing = Object.entries(clients).filter(([name, version]) => installed(name) !== version)
if (missing.length > 0) {
  mkdirSync(folder, { recursive: true })
  const wanted = missing.map(([name, version]) => `${name}@${version}`)
  // A client may ask for a newer Node than the one that it runs on all the same.
  const quiet = ['--no-fund', '--no-audit', '--loglevel=error', '--engine-strict=false']
  const args = ['install', '--prefix', folder, ...quiet, ...wanted]
  const { status } = spawnSync('npm', args, { stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(status ?? 1)
}
for (const name of Object.keys(clients)) console.log(`${name} ${installed(name)}`)

const confined = [
  ['unshare', '-n'],
  ['unshare', '-rn'],
].find(([program, flag]) => spawnSync(program, [flag, 'sh', '-c', loopbackUp()]).status === 0)
console.log(
  confined ? 'network: the loopback only' : 'network: open, because this system lets us make no network namespace',
)

const vitest = ['vitest', 'run', '--config', join(root, 'vitest.config.ts'), '--root', join(root, 'tests/agents')]
const tests = ['npx', ...vitest, '--maxWorkers=1', '--reporter=verbose', ...process.argv.slice(2)]
const [program, ...args] = confined ? [...confined, 'sh', '-c', `${loopbackUp()} && exec "$@"`, 'sh', ...tests] : tests
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit', env: { ...env, SWITCHYARD_AGENTS: folder } })
process.exit(status ?? 1)

function installed(name) {
  const path = join(folder, 'node_modules', name, 'package.json')
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).version : undefined
}

function loopbackUp() {
  return 'PATH=$PATH:/usr/sbin:/sbin ip link set lo up'
}
