// Puts the programs that tests run into one folder, which vitest.config.ts appends to the PATH of the tests: those that PATH
// has under another name or not at all are linked or unpacked there. `npm ci` throws the folder away, the next run makes it again.
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findProgram, neededPrograms, starts } from './needed.mjs'
import { unpacker } from './unpack.mjs'

/**
 * Makes `folder/bin` so that all programs are there. Returns the line that says what to install where that cannot be; then no test
 * may run. `env` is of the process; `say` gets a line when something is fetched.
 */
export function makeProgramsReady({ folder, env, systemFolders, say = () => undefined }) {
  const bin = join(folder, 'bin')
  const unpack = unpacker(folder, env)
  const missing = []
  for (const program of neededPrograms.filter(({ on = process.platform }) => on === process.platform)) {
    const own = join(bin, program.name)
    if (starts(own, program.asks)) continue
    const found = findProgram(program, env.PATH ?? '', systemFolders)
    if (found?.isFound) continue
    mkdirSync(bin, { recursive: true })
    if (found) {
      put(own, (path) => symlinkSync(found.file, path))
      continue
    }
    say(`fetching ${program.name}`)
    const { unpacked, why = 'it does not start' } = unpack(program.packages)
    if (unpacked) wrap(program, own, unpacked)
    if (!starts(own, program.asks)) missing.push({ program, why })
  }
  if (missing.length === 0) return undefined
  const names = missing.map(({ program }) => program.name).join(', ')
  const [{ why }] = missing
  return `npm test: cannot find or unpack ${names} (${why}); install ${missing.length === 1 ? 'it' : 'them'}, then run this again`
}

/** A command that starts the unpacked program with the libraries that came with it. */
function wrap({ name, also = [] }, own, unpacked) {
  // What stands in usr/bin may be a script that looks for the program where it would be installed.
  const folders = [`usr/lib/${name}`, 'usr/bin', 'usr/sbin', 'bin'].map((folder) => join(unpacked, folder))
  const file = [name, ...also].flatMap((each) => folders.map((folder) => join(folder, each))).find(existsSync)
  if (file === undefined) return
  const libraries = librariesIn(unpacked).join(':')
  const settings = libraries === '' ? '' : `LD_LIBRARY_PATH=${quoted(libraries)} `
  put(own, (path) => {
    writeFileSync(path, `#!/bin/sh\n${settings}exec ${quoted(file)} "$@"\n`)
    chmodSync(path, 0o755)
  })
}

/** The folders that hold shared libraries. */
function librariesIn(unpacked) {
  const files = readdirSync(unpacked, { recursive: true }).filter((path) => /\.so(\.[\d.]+)?$/.test(path))
  return [...new Set(files.map((path) => dirname(join(unpacked, path))))]
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`

/** Written beside its place and renamed, as two runs may be at it. */
function put(path, write) {
  const fresh = `${path}.${process.pid}`
  write(fresh)
  renameSync(fresh, path)
}
