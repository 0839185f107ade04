#!/usr/bin/env node
// Bundles the CLI in the current folder: src/cli.ts becomes dist/cli.cjs, and every module reached by `await import('./x.ts')`
// becomes its own file dist/x.cjs, so that a verb pays only for what it loads. CommonJS, because an ES module entry costs a third
// of a start on Node 20. The files named under "switchyard.hot" in package.json have a ceiling in bytes and may not load what is slow
// to load; the build fails when they do. The files named under "switchyard.cached" are large and start often: what V8 makes of them is
// kept beside them, so that they are not compiled at each start.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join, resolve } from 'node:path'
import { Script } from 'node:vm'
import { build } from 'esbuild'

const slowModules = ['citty', 'execa', 'proper-lockfile', 'zod']
const slowBuiltins = [
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

const lazyChunks = {
  name: 'lazy-chunks',
  setup(esbuild) {
    esbuild.onResolve({ filter: /^\..*\.ts$/ }, ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined
      const file = resolve(resolveDir, path)
      const name = basename(file, '.ts')
      for (const [other, taken] of chunks) {
        if (taken === name && other !== file)
          throw new Error(`two lazy modules are called ${name}: ${other} and ${file}`)
      }
      chunks.set(file, name)
      return { path: `./${name}.cjs`, external: true }
    })
  },
}

async function bundle(entry, name) {
  const { metafile } = await build({
    entryPoints: [entry],
    outfile: `dist/${name}.cjs`,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minify: true,
    keepNames: false,
    metafile: true,
    external,
    legalComments: 'none',
    logLevel: 'warning',
    define: { SWITCHYARD_VERSION: JSON.stringify(manifest.version), SWITCHYARD_SOURCES: JSON.stringify(sources) },
    supported: { 'dynamic-import': false },
    plugins: [lazyChunks],
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

/** What is wrong with a hot file, one sentence each. */
function hotFaults(name, bytesMax, metafile) {
  const faults = []
  const { size } = statSync(`dist/${name}`)
  if (size > bytesMax) faults.push(`dist/${name} has ${size} bytes, its ceiling is ${bytesMax}`)
  for (const input of Object.keys(metafile.inputs)) {
    const slow = slowModules.find((module) => input.includes(`node_modules/${module}/`))
    if (slow && !input.includes('node_modules/zod/mini')) faults.push(`dist/${name} loads ${slow} (${input})`)
  }
  // What was written as `await import()` is loaded when it is needed, so only the other imports of the sources count.
  for (const { path, kind } of Object.values(metafile.inputs).flatMap(({ imports }) => imports)) {
    const isSlow = slowBuiltins.includes(path.replace(/^node:/, ''))
    if (isSlow && kind !== 'dynamic-import') faults.push(`dist/${name} loads ${path}`)
  }
  return faults
}

/**
 * Makes `dist/NAME.cjs` a loader of `NAME.body.cjs` and of V8's code for it. `warm` is the export that uses what a start uses, so that
 * its functions are in the code. Another version of Node refuses the code, and compiles as ever.
 */
function cache(name, warm) {
  const path = resolve('dist', name)
  const body = path.replace(/\.cjs$/, '.body.cjs')
  renameSync(path, body)
  writeFileSync(path, cachedLoader(basename(body)))
  const script = new Script(wrapped(readFileSync(body, 'latin1')), { filename: body })
  const module = { exports: {} }
  script.runInThisContext()(module.exports, createRequire(body), module, body, resolve('dist'))
  module.exports[warm]()
  writeFileSync(`${body}.v8`, script.createCachedData())
}

const wrapped = (source) => `(function(exports,require,module,__filename,__dirname){${source}\n})`

/** What is bundled is ASCII, which is read fastest as Latin-1. */
function cachedLoader(body) {
  return `"use strict";const f=require("fs"),{Script:S}=require("vm"),b=__dirname+"/${body}";let c
try{c=f.readFileSync(b+".v8")}catch(e){if(e.code!=="ENOENT")throw e}
const s="(function(exports,require,module,__filename,__dirname){"+f.readFileSync(b,"latin1")+"\\n})"
new S(s,{filename:b,cachedData:c}).runInThisContext()(exports,require,module,b,__dirname)
`
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

for (const [name, warm] of Object.entries(manifest.switchyard?.cached ?? {})) cache(name, warm)

const faults = [...built].flatMap(([file, metafile]) => {
  const name = `${names.get(file)}.cjs`
  return name in hot ? hotFaults(name, hot[name], metafile) : []
})
for (const name of Object.keys(hot)) {
  if (![...names.values()].includes(name.replace(/\.cjs$/, '')))
    faults.push(`package.json names ${name} as hot, but nothing builds it`)
}
if (faults.length > 0) {
  process.stderr.write(`switchyard-build: ${manifest.name}: ${faults.join('\n  ')}\n`)
  process.exitCode = 1
}
