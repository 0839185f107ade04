#!/usr/bin/env node
// Bundles the CLI in the current folder: src/cli.ts becomes dist/cli.cjs, and every module reached by `await import('./x.ts')`
// becomes its own file dist/x.cjs, so that a verb pays only for what it loads. CommonJS, because an ES module entry costs a third
// of a start on Node 20. The files named under "switchyard.hot" in package.json have a ceiling in bytes and may not load what is slow
// to load; the build fails when they do. What starts often is packed with what V8 makes of it, so that it is not compiled at each start:
// the files under "switchyard.cached" and "switchyard.kept", and the verbs under "switchyard.packed".
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { compiledChecks } from './compiled-checks.mjs'
import { foreignGlobals } from './globals.mjs'
import { inkDefine, inkModules } from './ink.mjs'
import { packModule, packVerbs } from './pack.mjs'

const slowModules = ['citty', 'execa', 'proper-lockfile', 'zod']
const slowImports = [
  './zod.cjs',
  'crypto',
  'child_process',
  'net',
  'http',
  'https',
  'readline',
  'fs/promises',
  'stream',
  'url',
  'util',
]

const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const hot = manifest.switchyard?.hot ?? {}
const external = Object.keys(manifest.dependencies ?? {})

/** Digest of the package's own sources: what one build derived from a log, another must not take for its own. */
const sources = digestOf('src')

/** Output name of each lazily imported module, by absolute path. */
const chunks = new Map()

/** Makes every lazily imported module a file of its own, but for those of the names in `within`. */
const lazyChunks = (within) => ({
  name: 'lazy-chunks',
  setup(esbuild) {
    esbuild.onResolve({ filter: /^\..*\.ts$/ }, ({ kind, path, resolveDir }) => {
      const file = resolve(resolveDir, path)
      const name = basename(file, '.ts')
      if (kind !== 'dynamic-import' || within.includes(name)) return undefined
      for (const [other, taken] of chunks) {
        if (taken === name && other !== file)
          throw new Error(`two lazy modules are called ${name}: ${other} and ${file}`)
      }
      chunks.set(file, name)
      return { path: `./${name}.cjs`, external: true }
    })
  },
})

const zodEntry = fileURLToPath(new URL('zod.mjs', import.meta.url))

/** Has all files share one zod, `dist/zod.cjs`, without its messages in other languages: 300 KB that nobody asks for. */
const sharedZod = {
  name: 'shared-zod',
  setup(esbuild) {
    esbuild.onResolve({ filter: /^zod$/ }, ({ importer, kind }) => {
      if (importer === zodEntry) return undefined
      if (kind !== 'dynamic-import') chunks.set(zodEntry, 'zod')
      return { path: './zod.cjs', external: true }
    })
    esbuild.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: 'export {}' }))
  },
}

const schemaFile = /-schema\.ts$/

/** Has a file of schemas run when one of them is first used: to load zod and to make them costs a third of a start. */
const schemasWhenUsed = {
  name: 'schemas-when-used',
  setup(esbuild) {
    esbuild.onResolve({ filter: schemaFile }, ({ importer, kind, path, resolveDir }) => {
      if (kind !== 'import-statement' || !path.startsWith('.') || schemaFile.test(importer)) return undefined
      return { path: resolve(resolveDir, path), namespace: 'schemas-when-used' }
    })
    esbuild.onLoad({ filter: schemaFile, namespace: 'schemas-when-used' }, ({ path }) => {
      const names = [...readFileSync(path, 'utf8').matchAll(/^export (?:const|function) (\w+)/gm)].map(
        ([, name]) => name,
      )
      const getters = names.map((name) => `get ${name}() { return require(${JSON.stringify(path)}).${name} },`)
      return { contents: `module.exports = {\n${getters.join('\n')}\n}`, loader: 'js', resolveDir: dirname(path) }
    })
  },
}

/** Has the entry of a tool keep the tool, and not run it. */
const keptTool = {
  name: 'kept-tool',
  setup(esbuild) {
    esbuild.onResolve({ filter: /^@switchyard\/cli-kit$/ }, ({ path }) => ({ path, namespace: 'kept-tool' }))
    esbuild.onLoad({ filter: /.*/, namespace: 'kept-tool' }, () => ({
      contents: 'export const runCli = (tool) => { globalThis.tool = tool }\nexport const defineVerb = (verb) => verb',
    }))
  },
}

/** Writes what each verb says of itself in a line, so that nobody loads all verbs for a page of help. */
async function keepSummaries() {
  await bundle('src/cli.ts', 'summaries', [], [keptTool])
  const print = `require('./dist/summaries.cjs')
const { verbs = {} } = globalThis.tool ?? {}
const all = Object.entries(verbs).map(async ([name, load]) => [name, (await load()).summary])
Promise.all(all).then((pairs) => require('fs').writeFileSync('dist/summaries.json', JSON.stringify(Object.fromEntries(pairs))))`
  const { status, stderr } = spawnSync(process.execPath, ['-e', print], { encoding: 'utf8' })
  if (status !== 0) stop(`the summaries of verbs were to be written: ${stderr}`)
  rmSync('dist/summaries.cjs')
}

async function bundle(entry, name, within = [], plugins = []) {
  const { metafile } = await build({
    entryPoints: [entry],
    outfile: `dist/${name}.cjs`,
    bundle: true,
    platform: 'node',
    mainFields: ['module', 'main'],
    format: 'cjs',
    target: 'node20',
    minify: true,
    keepNames: false,
    metafile: true,
    external,
    legalComments: 'none',
    logLevel: 'warning',
    define: {
      SWITCHYARD_VERSION: JSON.stringify(manifest.version),
      SWITCHYARD_SOURCES: JSON.stringify(sources),
      ...inkDefine,
    },
    supported: { 'dynamic-import': false },
    plugins: [...plugins, lazyChunks(within), schemasWhenUsed, sharedZod, inkModules, compiledChecks(stop)],
  })
  return metafile
}

function digestOf(folder) {
  const hash = createHash('sha256')
  for (const name of readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith('.ts'))
    .sort())
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(folder, name)))
      .update('\0')
  return hash.digest('hex').slice(0, 16)
}

function complain(fault) {
  process.stderr.write(`switchyard-build: ${manifest.name}: ${fault}\n`)
  process.exitCode = 1
}

function stop(fault) {
  complain(fault)
  process.exit()
}

/** What is wrong with a hot file, one sentence each. */
function hotFaults(name, bytesMax, metafile) {
  const faults = []
  const { size } = statSync(`dist/${name}`)
  if (size > bytesMax)
    faults.push(
      `dist/${name} has ${size} bytes, its ceiling is ${bytesMax}: load with await import() what not every call needs, or raise switchyard.hot in its package.json and say why in the commit`,
    )
  for (const input of Object.keys(metafile.inputs)) {
    const slow = slowModules.find((module) => input.includes(`node_modules/${module}/`))
    if (slow && !input.includes('node_modules/zod/mini')) faults.push(`dist/${name} loads ${slow} (${input})`)
  }
  // What was written as `await import()` is loaded when it is needed, so only the other imports of the sources count.
  for (const { path, kind } of Object.values(metafile.inputs).flatMap(({ imports }) => imports)) {
    const isSlow = slowImports.includes(path.replace(/^node:/, ''))
    if (isSlow && kind !== 'dynamic-import') faults.push(`dist/${name} loads ${path}`)
  }
  for (const [input, { imports }] of Object.entries(metafile.inputs)) {
    const isSeam = input.endsWith('ground/src/machine.ts') || input.includes('node_modules/')
    for (const { path, kind } of imports) {
      if (isSeam || kind === 'dynamic-import' || !isBuiltin(path)) continue
      faults.push(`dist/${name} reaches ${path} by ${input}: take it from @switchyard/ground/machine`)
    }
  }
  for (const used of foreignGlobals(readFileSync(`dist/${name}`, 'utf8')))
    faults.push(`dist/${name} uses ${used}: do without, or add it to packages/build/globals.mjs with the reason`)
  return faults
}

rmSync('dist', { recursive: true, force: true })
const built = new Map([['src/cli.ts', await bundle('src/cli.ts', 'cli')]])
const names = new Map([['src/cli.ts', 'cli']])
for (;;) {
  const next = [...chunks].find(([file]) => !built.has(file))
  if (!next) break
  built.set(next[0], await bundle(next[0], next[1]))
  names.set(next[0], next[1])
}

const faults = [...built].flatMap(([file, metafile]) => {
  const name = `${names.get(file)}.cjs`
  return name in hot ? hotFaults(name, hot[name], metafile) : []
})
for (const name of Object.keys(hot)) {
  if (![...names.values()].includes(name.replace(/\.cjs$/, '')))
    faults.push(`package.json names ${name} as hot, but nothing builds it`)
}
if (faults.length > 0) complain(faults.join('\n  '))

const { cached = {}, kept, packed, warm } = manifest.switchyard ?? {}
await keepSummaries()
if (chunks.has(zodEntry)) packModule('zod', 'warmUp')
for (const [name, warm] of Object.entries(cached)) packModule(basename(name, '.cjs'), warm)
if (packed !== undefined) await packVerbs(packed, (name, within) => bundle('src/cli.ts', name, within), { warm, kept })
