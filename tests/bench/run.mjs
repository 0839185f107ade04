// `npm run bench [-- ROUNDS]`: whole-process times of the hot verbs as ratios to `node -e 0`, in interleaved rounds. The machine's noise is about a tenth, so
// nothing is gated on these; what is gated is what causes them: the bytes and imports of the hot files, at every build.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const roundsDefault = 25
const warmUps = 2
const messages = 1000
const issues = 200

const packages = fileURLToPath(new URL('../../packages', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'switchyard-bench-'))
const env = { ...process.env, HOME: folder, JWZ_AGENT: 'bench' }
for (const name of ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS', 'JWZ_STORE', 'TISSUE_STORE']) delete env[name]

function tool(name, ...args) {
  return [process.execPath, join(packages, name, 'bin', `${name}.cjs`), ...args]
}

function run([program, ...args], input) {
  return execFileSync(program, args, { cwd: folder, env, input: input ?? '', encoding: 'utf8' })
}

function milliseconds([program, ...args]) {
  const start = process.hrtime.bigint()
  const { status } = spawnSync(program, args, { cwd: folder, env, stdio: 'ignore' })
  const took = Number(process.hrtime.bigint() - start) / 1e6
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}`)
  return took
}

function median(values) {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)]
}

run(['git', 'init', '--quiet'])
run(
  tool('jwz', 'post', 'news', '--stdin', '--quiet'),
  Array.from({ length: messages }, (_, place) => `message ${place}\n`).join(''),
)
const findings = Array.from({ length: issues }, (_, place) => ({
  v: 1,
  type: 'finding',
  id: `bench-${place}`,
  rule: 'bench',
  title: `Issue ${place}`,
  severity: 'medium',
  confidence: 'high',
  category: 'bench',
  path: 'a.ts',
  line: place + 1,
  column: 1,
  end_line: place + 1,
  end_column: 2,
  quote: 'a',
  message: 'A message of ordinary length, which says what is wrong.',
  fixable: false,
  language: 'typescript',
}))
const ids = run(
  tool('tissue', 'import', '-', '--quiet'),
  findings.map((finding) => `${JSON.stringify(finding)}\n`).join(''),
)
  .trim()
  .split('\n')

const rounds = Number(process.argv[2] ?? roundsDefault)
const commands = {
  'node -e 0': () => [process.execPath, '-e', '0'],
  'jwz post': () => tool('jwz', 'post', 'news', '-m', 'hello'),
  'jwz latest': () => tool('jwz', 'latest', 'news'),
  'jwz read': () => tool('jwz', 'read', 'news'),
  'tissue ready': () => tool('tissue', 'ready'),
  'tissue claim': (round) => tool('tissue', 'claim', ids[round % ids.length]),
  'tissue status': (round) => tool('tissue', 'status', ids[ids.length - 1 - (round % ids.length)], 'paused'),
  'git --version': () => ['git', '--version'],
}
const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]))
for (let round = -warmUps; round < rounds; round += 1) {
  for (const [name, command] of Object.entries(commands)) {
    const took = milliseconds(command(round + warmUps))
    if (round >= 0) times[name].push(took)
  }
}
rmSync(folder, { recursive: true, force: true })

const floor = times['node -e 0']
console.log(`${rounds} interleaved rounds, ${messages} messages, ${issues} issues; Node ${process.version}\n`)
console.log('| command | median ms | ratio to node -e 0 |\n|---|---:|---:|')
for (const [name, values] of Object.entries(times)) {
  const ratio = median(values.map((value, round) => value / floor[round]))
  console.log(`| ${name} | ${median(values).toFixed(1)} | ${ratio.toFixed(2)} |`)
}
