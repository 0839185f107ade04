// A pack is a bundle with what V8 made of it, in one file: `hook-stop.v20.19.0-x64.pack` is the number of bytes of the source, the
// source, and V8's code for it. One file, so that code can never be taken for that of another source; the version of Node is in its
// name, so that any other finds none and loads the plain bundle.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Script } from 'node:vm'

const suffix = `.${process.version}-${process.arch}.pack`

/** Loads a pack; undefined where there is none for this Node, and the plain bundle is to be loaded. Bundles are ASCII: Latin-1. */
const load = `"use strict";const f=require("fs"),{Script:S}=require("vm")
function load(name){let b
try{b=f.readFileSync(__dirname+"/"+name+"."+process.version+"-"+process.arch+".pack")}catch(e){if(e.code!=="ENOENT")throw e
return}
const n=b.readUInt32LE(0)+4,s=new S(b.latin1Slice(4,n),{filename:__dirname+"/"+name+".cjs",cachedData:n<b.length?b.subarray(n):undefined})
s.runInThisContext()(exports,require,module,__filename,__dirname)
return s}
`

/** Makes `dist/NAME.cjs` a loader of its pack. `warm` is the export that uses what a start uses, so that its functions are in the code. */
export function packModule(name, warm) {
  const path = resolve('dist', `${name}.cjs`)
  const source = setAside(name)
  writeFileSync(path, `${load}load("${name}")||(module.exports=require("./${name}.body.cjs"))\n`)
  const script = new Script(source, { filename: path })
  const module = { exports: {} }
  script.runInThisContext()(module.exports, createRequire(path), module, path, resolve('dist'))
  module.exports[warm]()
  writePack(name, source, script.createCachedData())
}

/**
 * Makes `dist/cli.cjs` a loader of one pack for each verb that starts often: the entry, the verb and what stands in `with` in one
 * bundle, which `bundleTo` writes. `starts` are command lines, run one after another in an empty folder; what the first of a verb has
 * used is in its code. Their word `$0` is what the first of all has printed.
 */
export async function packVerbs(starts, bundleTo) {
  const runs = starts.map((start) => readStart(typeof start === 'string' ? { run: start } : start))
  const verbs = new Map(runs.map((start) => [start.verb, start]))
  for (const { file, within } of verbs.values()) {
    await bundleTo('packed', [file, ...within])
    writePack(file, wrapped(readFileSync('dist/packed.cjs', 'latin1')), Buffer.alloc(0))
  }
  rmSync('dist/packed.cjs')
  setAside('cli')
  const table = Object.fromEntries([...verbs].map(([verb, { file }]) => [verb, file]))
  writeFileSync(
    'dist/cli.cjs',
    `${load}const p=${JSON.stringify(table)},[,,a,c]=process.argv,h=k=>Object.hasOwn(p,k)?load(p[k]):undefined
h(a+" "+c)||h(a)||require("./cli.body.cjs")
`,
  )
  warmUp(runs)
}

/** A verb has two words where there is a file of that name. */
function readStart({ run, input, with: within = [] }) {
  const words = run.split(' ')
  const length = existsSync(`dist/${words.slice(0, 2).join('-')}.cjs`) ? 2 : 1
  const verb = words.slice(0, length)
  return { words, input: input && JSON.stringify(input), within, verb: verb.join(' '), file: verb.join('-') }
}

/** Runs each start in a process of its own, in a repository; the first of each verb leaves the code that V8 has made in it. */
function warmUp(runs) {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-warm-'))
  const repository = makeRepository(join(folder, 'repository'))
  const [keeper, kept] = [join(folder, 'keeper.cjs'), join(folder, 'kept')]
  writeFileSync(keeper, keeperSource(kept))
  const env = { PATH: process.env.PATH, HOME: folder }
  const warm = new Set()
  const printed = []
  for (const { words, input, file } of runs) {
    const args = words.map((word) => printed[/^\$(\d+)$/.exec(word)?.[1]] ?? word)
    const options = { cwd: repository, input: input ?? '', encoding: 'utf8', env: { ...env, PACK: file } }
    const { status, stdout, stderr } = spawnSync(process.execPath, [keeper, ...args], options)
    if (status !== 0) throw new Error(`${words.join(' ')} was to warm up its pack, it ended with ${status}: ${stderr}`)
    printed.push(stdout.trim())
    if (warm.has(file)) continue
    warm.add(file)
    writePack(file, readSource(file), readFileSync(kept))
  }
  rmSync(folder, { recursive: true })
}

/** As much of a repository as tools read that run no git. */
function makeRepository(folder) {
  mkdirSync(join(folder, '.git'), { recursive: true })
  writeFileSync(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(folder, '.git', 'config'), '[core]\n\tbare = false\n[remote "origin"]\n\turl = nowhere\n')
  return folder
}

/** The loader as if it stood in dist, which keeps the code at its end. */
const keeperSource = (kept) => `${load}
__dirname=${JSON.stringify(resolve('dist'))};require=require("module").createRequire(__dirname+"/cli.cjs")
const s=load(process.env.PACK);process.on("exit",()=>f.writeFileSync(${JSON.stringify(kept)},s.createCachedData()))
`

/** Renames `dist/NAME.cjs`, which a loader shall replace; returns its source as the loader runs it. */
function setAside(name) {
  const body = resolve('dist', `${name}.body.cjs`)
  renameSync(resolve('dist', `${name}.cjs`), body)
  return wrapped(readFileSync(body, 'latin1'))
}

function writePack(name, source, code) {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(source.length)
  writeFileSync(resolve('dist', `${name}${suffix}`), Buffer.concat([length, Buffer.from(source, 'latin1'), code]))
}

function readSource(name) {
  const pack = readFileSync(resolve('dist', `${name}${suffix}`))
  return pack.latin1Slice(4, 4 + pack.readUInt32LE(0))
}

const wrapped = (source) => `(function(exports,require,module,__filename,__dirname){${source}\n})`
