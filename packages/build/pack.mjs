// A pack is a bundle with what V8 made of it, in one file: the number of bytes of the source, the source, and V8's code for it, and all of
// that once more. One file, so that code can never be taken for that of another source. Twice, because V8 runs damaged code until it
// crashes, and to compare two halves is the one check that costs a start nothing. In its name stand the build, the version of Node
// and the processor: `hook.1f2e3d4c.v20.19.0-x64.pack`. Where there is none that is whole, as after an update of Node, the source is
// loaded from `hook.packed.cjs`, and the first process that ends well leaves a pack, if it may write beside the code that it runs.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/**
 * Packed modules by what a bundle requires them by: their names and builds. Packed bundles load them without a search for files, and leave
 * them where `require` finds them, so that nothing is there twice.
 */
const packedModules = {}

/**
 * Loads `NAME.packed.cjs` by its pack, and sees to it that there is one. Bundles are ASCII: Latin-1. Flags of Node change V8's code, so a
 * process with flags leaves none.
 */
const loader = (modules = packedModules) => `"use strict";const f=require("fs"),{Script:S}=require("vm")
const q=${JSON.stringify(modules)},l=require.cache,g=k=>{const m=Object.hasOwn(q,k)&&q[k],id=__dirname+k.slice(1)
if(!m)return require(k)
if(!l[id]){l[id]={id,filename:id,exports:{},children:[],loaded:true};try{load(m[0],m[1],l[id])}catch(e){delete l[id];throw e}}return l[id].exports}
function load(name,build,module){const p=process,at=__dirname+"/"+name,pack=at+"."+build+"."+p.version+"-"+p.arch+".pack";let b,n=0,h=0
try{b=f.readFileSync(pack);h=b.length/2;if(h>4&&b.subarray(0,h).equals(b.subarray(h)))n=b.readUInt32LE(0)+4}catch{}
if(n>h)n=0
const t=n?b.latin1Slice(4,n):f.readFileSync(at+".packed.cjs","latin1")
const s=new S(t,{filename:at+".cjs",cachedData:n?b.subarray(n,h):undefined})
if((!n||s.cachedDataRejected)&&!p.execArgv.length&&!p.env.NODE_OPTIONS&&!p.env.NODE_V8_COVERAGE)p.on("exit",c=>c||leave(pack,s,t))
s.runInThisContext()(module.exports,g,module,__filename,__dirname)
return true}
function leave(pack,s,t){const d=pack+"."+process.pid
try{f.accessSync(__dirname,f.constants.W_OK)
const l=Buffer.alloc(4),x=[l,Buffer.from(t,"latin1"),s.createCachedData()];l.writeUInt32LE(t.length)
f.writeFileSync(d,Buffer.concat([...x,...x]),{flag:"wx",mode:420})
f.renameSync(d,pack)}catch{try{f.unlinkSync(d)}catch{}}}
`

/** Makes `dist/NAME.cjs` a loader of its pack. `warm` is the export that uses what a start uses, so that its functions are in the code. */
export function packModule(name, warm) {
  const { path, build } = replaceByLoader(name)
  loadAlone(`require(${JSON.stringify(path)})[${JSON.stringify(warm)}]()`)
  requirePack(name, build)
}

/** Runs JavaScript in a process of its own. */
function loadAlone(text) {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-warm-'))
  writeFileSync(join(folder, 'warm.cjs'), `${text}\n`)
  runWarm([join(folder, 'warm.cjs')], { cwd: folder, home: folder })
  rmSync(folder, { recursive: true })
}

/** Leaves the pack of `dist/NAME.cjs` to whichever process first ends well that has loaded it. */
function replaceByLoader(name) {
  const path = resolve('dist', `${name}.cjs`)
  const source = wrapped(readFileSync(path, 'latin1'))
  writeFileSync(resolve('dist', `${name}.packed.cjs`), source, 'latin1')
  const build = buildOf([source])
  writeFileSync(path, `${loader({})}load("${name}","${build}",module)\n`)
  packedModules[`./${name}.cjs`] = [name, build]
  return { path, build }
}

/**
 * Chooses between the packs of a verb by what stdin begins with, which the pack finds in `switchyardStdin`; for help, and where nothing
 * can be read yet, it is the verb's first. A wrong choice costs time and nothing else: each pack can load what it lacks.
 */
const chooser = (packs) => `const p=${JSON.stringify(packs)},[,,a,c]=process.argv
function choose([name,other,unless,needs]){if(!other)return name
if(needs)return process.env[needs]?name:other
const w=process.argv,u=new RegExp(unless)
if(u.test(c)||w.includes("-h")||w.includes("--help"))return name
const b=Buffer.allocUnsafe(65536);let n
try{n=f.readSync(0,b,0,65536,null)}catch{return name}
globalThis.switchyardStdin=b.subarray(0,n)
return u.test(b.latin1Slice(0,n))?name:other}
`

/**
 * Makes `dist/cli.cjs` a loader of one pack for each verb that starts often: the entry, the verb and what stands in `with` in one
 * bundle, which `bundleTo` writes. `starts` are command lines, run one after another in an empty folder; what the first of a verb has
 * used is in its code. Their word `$0` is what the first of all has printed. `warm.folder` is what lies in that folder before, `warm.env`
 * what they find in their environment; `$HERE` in it is the folder. A verb may have a second pack: it is named by `as`, and
 * loaded unless stdin begins with what matches `unless`, or where the variable `needs` is not in the environment.
 * When nothing is left to do, the process is ended at once: Node would first take its heap apart, which costs a
 * twentieth of a start.
 * Other verbs are loaded by an entry of their own; it and the modules in `kept.modules` are packed, too, each for what the first of the
 * command lines in `kept.runs`, or of the processes that these start, has used of it.
 */
export async function packVerbs(starts, bundleTo, { warm = {}, kept }) {
  const runs = starts.map((start) => readStart(typeof start === 'string' ? { run: start } : start))
  const packs = new Map(runs.map((start) => [start.pack, start]))
  const sources = []
  for (const { pack, file, within } of packs.values()) {
    await bundleTo('packed', [file, ...within])
    const source = wrapped(readFileSync('dist/packed.cjs', 'latin1'))
    writeFileSync(`dist/${pack}.packed.cjs`, source, 'latin1')
    sources.push(source)
  }
  rmSync('dist/packed.cjs')
  renameSync('dist/cli.cjs', 'dist/cli.body.cjs')
  const table = {}
  for (const { verb, pack, unless } of packs.values()) table[verb] = [...(table[verb] ?? []), pack, ...unless]
  const build = buildOf(sources)
  const modules =
    kept === undefined ? [] : ['cli.body', ...kept.modules].map((name) => [name, replaceByLoader(name).build])
  writeFileSync(
    'dist/cli.cjs',
    `${loader()}${chooser(table)}const h=k=>Object.hasOwn(p,k)&&load(choose(p[k]),"${build}",module)
process.once("beforeExit",()=>process.exit())
h(a+" "+c)||h(a)||g("./cli.body.cjs")
`,
  )
  warmUp(runs, warm)
  for (const pack of packs.keys()) requirePack(pack, build)
  if (kept === undefined) return
  warmUp(
    kept.runs.map((run) => readStart({ run })),
    { folder: warm.folder, env: kept.env },
  )
  await keepCode(modules)
}

/** A process that a run has left behind may still be at its end; modules that no run has loaded have their code from being loaded. */
async function keepCode(modules) {
  const missing = () => modules.filter(([name, build]) => !existsSync(packOf(name, build)))
  for (let tries = 0; tries < 40 && missing().length > 0; tries++) await setTimeout(50)
  loadAlone(
    missing()
      .map(([name]) => `require(${JSON.stringify(resolve('dist', `${name}.cjs`))})`)
      .join('\n'),
  )
  for (const [name, build] of modules) requirePack(name, build)
}

/** A verb has two words where there is a file of that name. */
function readStart({ run, input, with: within = [], as, unless, needs }) {
  const words = run.split(' ')
  const length = existsSync(`dist/${words.slice(0, 2).join('-')}.cjs`) ? 2 : 1
  const file = words.slice(0, length).join('-')
  const verb = words.slice(0, length).join(' ')
  return {
    words,
    input: input && JSON.stringify(input),
    within,
    verb,
    file,
    pack: as ?? file,
    unless: as === undefined ? [] : [unless ?? '', ...(needs === undefined ? [] : [needs])],
    without: needs,
  }
}

/** Runs each start in a process of its own, in a repository; the first of each verb leaves its pack. */
function warmUp(runs, { folder: given, env = {} }) {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-warm-'))
  const cwd = makeRepository(join(folder, 'repository'))
  if (given !== undefined) cpSync(given, cwd, { recursive: true })
  const more = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replace('$HERE', cwd)]))
  const printed = []
  for (const { words, input, without } of runs) {
    const args = words.map((word) => printed[/^\$(\d+)$/.exec(word)?.[1]] ?? word)
    printed.push(
      runWarm([resolve('dist/cli.cjs'), ...args], {
        cwd,
        home: folder,
        input: input ?? '',
        more: leftOut(more, without),
      }).trim(),
    )
  }
  rmSync(folder, { recursive: true })
}

/** Variables without the one of that name. */
const leftOut = (more, name) => Object.fromEntries(Object.entries(more).filter(([one]) => one !== name))

/** What a process of its own prints, in an environment that has nothing in it. */
function runWarm(args, { cwd, home, input = '', more = {} }) {
  const env = { PATH: process.env.PATH, HOME: home, ...more }
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, input, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${args.join(' ')} was to warm up its pack, it ended with ${status}: ${stderr}`)
  return stdout
}

/** As much of a repository as tools read that run no git. */
function makeRepository(folder) {
  mkdirSync(join(folder, '.git'), { recursive: true })
  writeFileSync(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(folder, '.git', 'config'), '[core]\n\tbare = false\n[remote "origin"]\n\turl = nowhere\n')
  return folder
}

/** A pack of a former build is never taken for one of this: dist may be made anew while a process of the former still runs. */
function buildOf(sources) {
  const hash = createHash('sha256')
  for (const source of sources) hash.update(source)
  return hash.digest('hex').slice(0, 8)
}

const packOf = (name, build) => resolve('dist', `${name}.${build}.${process.version}-${process.arch}.pack`)

function requirePack(name, build) {
  const path = packOf(name, build)
  if (!existsSync(path)) throw new Error(`expected the warm-up to leave ${path}`)
}

/** A bundle as a function. What V8 has compiled before has no way to import a module. */
function wrapped(source) {
  const [call] = /.{0,40}\bimport\(.{0,40}/.exec(source) ?? []
  if (call !== undefined)
    throw new Error(`expected nothing packed to import at run time, got ${call}; leave it out of "kept"`)
  return `(function(exports,require,module,__filename,__dirname){${source}\n})`
}
