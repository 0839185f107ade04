// `npm run test:nodes [-- 22 24 26] [turbo's arguments]`: the suites under other versions of Node, which npm's package `node` brings;
// `npm run test:nodes -- 24 --filter=@switchyard/jwz -- test/store.test.ts` is one file under one of them. Everything that a
// test starts finds that Node first on its PATH, and the tools are built by it, so that their packs are its own.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const cache = join(root, 'node_modules/.cache/nodes')
const turbo = join(root, 'node_modules/.bin/turbo')

const given = process.argv.slice(2)
const asked = given.filter((word, index) => /^\d+$/.test(word) && !given.slice(0, index).includes('--'))
const majors = asked.length > 0 ? asked : ['22', '24', '26']
const rest = given.filter((word) => !asked.includes(word))

const ends = majors.map((major) => {
  const folder = nodeFolder(major)
  const version = versionIn(folder) ?? `${major}, which npm could not bring`
  const isGood = versionIn(folder) !== undefined && isBuilt(folder) && isGreen(folder)
  return { line: `Node ${version}: ${isGood ? 'passed' : 'FAILED'}`, isGood }
})
// The packs that stay are those of who works here.
run(['run', 'build', '--force', '--output-logs=errors-only'], process.env)
for (const { line } of ends) console.log(line)
process.exit(ends.every(({ isGood }) => isGood) ? 0 : 1)

/** The folder of the program `node` of this major version, unpacked by npm when it is not there. */
function nodeFolder(major) {
  const prefix = join(cache, major)
  const folder = join(prefix, 'node_modules/node/bin')
  if (versionIn(folder) !== undefined) return folder
  mkdirSync(prefix, { recursive: true })
  const args = ['install', '--prefix', prefix, '--no-fund', '--no-audit', '--loglevel=error', `node@${major}`]
  spawnSync('npm', args, { cwd: prefix, stdio: ['ignore', 2, 2] })
  return folder
}

function versionIn(folder) {
  const manifest = join(folder, '../package.json')
  if (!existsSync(manifest)) return undefined
  const { status } = spawnSync(join(folder, 'node'), ['--version'], { stdio: 'ignore' })
  return status === 0 ? JSON.parse(readFileSync(manifest, 'utf8')).version : undefined
}

function isBuilt(folder) {
  return run(['run', 'build', '--force', '--output-logs=errors-only'], environmentOf(folder))
}

function isGreen(folder) {
  const args = ['run', 'test', '--only', '--force', '--concurrency=2', '--continue', ...rest]
  return run(args, environmentOf(folder))
}

function environmentOf(folder) {
  return { ...process.env, PATH: [folder, process.env.PATH].join(delimiter) }
}

function run(args, env) {
  return spawnSync(turbo, args, { cwd: root, env, stdio: 'inherit' }).status === 0
}
