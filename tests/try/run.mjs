// `npm run try [-- --since REV] [--seconds N]`: what a change touches, under a minute when warm: types, style, the house
// rules, and the tests nearest to it, as many as there is time for by what they took before. `npm test` runs everything.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nearestTests } from './nearest.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const kept = join(root, 'node_modules/.cache/try.json')
const began = Date.now()
const seconds = Number(flagValue('--seconds') ?? 45)
const guessMs = 4000

const changed = changedFiles(flagValue('--since') ?? 'HEAD')
if (changed.length === 0) {
  console.log('nothing is changed; --since REV tries what has changed since a commit')
  process.exit(0)
}
const files = git('ls-files', '-z', '--cached', '--others', '--exclude-standard')
  .split('\0')
  .filter((path) => /\.(ts|mjs|cjs)$/.test(path) && existsSync(join(root, path)))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
const tests = nearestTests(files, changed)
const packages = [...new Set([...changed, ...tests].flatMap((path) => /^packages\/([^/]+)\//.exec(path)?.[1] ?? []))]

let failed = 0
step('types', ['tsc', '-b'])
step('style', ['biome', 'check', '--error-on-warnings', '--no-errors-on-unmatched', ...changed.filter(isThere)])
step('house', ['vitest', 'run', '--config', '../vitest.config.ts', '--root', 'tests', 'tidy.test.ts', '--reporter=dot'])
let isBuilt = true
const needsAll = tests.some((path) => path.startsWith('tests/'))
const filters = needsAll ? [] : packages.map((name) => `--filter=./packages/${name}...`)
if (needsAll || packages.length > 0)
  isBuilt = step('build', ['turbo', 'run', 'build', '--output-logs=errors-only', ...filters])
if (!isBuilt) console.log(`no test ran, because the build failed: ${tests.length} files wait for it`)

const noted = [...byFolder(tests).keys()].map(notedIn)
const took = Object.assign({}, ...noted, existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : {})
const left = []
for (const [folder, wanted] of byFolder(isBuilt ? tests : [])) {
  const chosen = wanted.filter((path) => isInTime(path))
  left.push(...wanted.filter((path) => !chosen.includes(path)))
  if (chosen.length > 0) runTests(folder, chosen)
}
mkdirSync(dirname(kept), { recursive: true })
writeFileSync(kept, JSON.stringify(took))
if (left.length > 0)
  console.log(
    `left for npm test, for want of time: ${left.length} files, ${left.slice(0, 5).join(' ')}${left.length > 5 ? ' …' : ''}`,
  )
console.log(`${failed === 0 ? 'good' : `${failed} failed`}, ${Math.round((Date.now() - began) / 1000)} s`)
process.exit(failed === 0 ? 0 : 1)

/** One step, whose output is shown when it fails; whether it went well. */
function step(name, [program, ...args]) {
  const from = Date.now()
  const { status, stdout, stderr } = spawnSync(join(root, 'node_modules/.bin', program), args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }) },
    maxBuffer: 2 ** 28,
  })
  console.log(`${status === 0 ? '✓' : '✗'} ${name} ${((Date.now() - from) / 1000).toFixed(1)} s`)
  if (status === 0) return true
  failed += 1
  process.stdout.write(`${stdout}${stderr}`)
  return false
}

function runTests(folder, paths) {
  const report = join(root, 'node_modules/.cache/try-report.json')
  rmSync(report, { force: true })
  const config = folder === 'tests' ? '../vitest.config.ts' : '../../vitest.config.ts'
  const inFolder = paths.map((path) => path.slice(folder.length + 1))
  const args = [
    'run',
    '--config',
    config,
    '--root',
    folder,
    ...inFolder,
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]
  step(`${folder}: ${inFolder.join(' ')}`, ['vitest', ...args])
  if (!existsSync(report)) return
  for (const { name, startTime, endTime } of JSON.parse(readFileSync(report, 'utf8')).testResults)
    took[name.slice(root.length)] = Math.round(endTime - startTime)
}

/** Milliseconds that each test file of a folder took, as vitest has noted it, for `npm test` too. */
function notedIn(folder) {
  const notes = join(root, folder, 'node_modules/.vite/vitest')
  const files = existsSync(notes) ? readdirSync(notes).map((name) => join(notes, name, 'results.json')) : []
  const results = files
    .filter((path) => existsSync(path))
    .flatMap((path) => JSON.parse(readFileSync(path, 'utf8')).results)
  return Object.fromEntries(
    results.map(([name, { duration }]) => [`${folder}/${name.replace(/^[^:]*:/, '')}`, Math.round(duration)]),
  )
}

/** The nearest tests run first; one that nobody has run yet is taken for a short one. Three run at a time. */
function isInTime(path) {
  const ends = Date.now() - began + (isInTime.taken ?? 0) / 3 + (took[path] ?? guessMs)
  if (ends > seconds * 1000) return false
  isInTime.taken = (isInTime.taken ?? 0) + (took[path] ?? guessMs)
  return true
}

function byFolder(paths) {
  const folders = new Map()
  for (const path of paths) {
    const folder = /^(packages\/[^/]+|tests)\//.exec(path)?.[1] ?? 'tests'
    folders.set(folder, [...(folders.get(folder) ?? []), path])
  }
  return folders
}

function changedFiles(since) {
  const tracked = git('diff', '--name-only', '-z', since).split('\0')
  const others = git('ls-files', '-z', '--others', '--exclude-standard').split('\0')
  return [...new Set([...tracked, ...others])].filter((path) => path !== '')
}

function isThere(path) {
  return existsSync(join(root, path))
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

function flagValue(flag) {
  const at = process.argv.indexOf(flag)
  return at < 0 ? undefined : process.argv[at + 1]
}
