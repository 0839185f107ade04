// After a change of dependencies: npm leaves out of package-lock.json the optional packages of other platforms that it could not fetch, and
// `npm ci` then refuses the file everywhere. This adds them, so that each platform fetches its own and no other.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const file = fileURLToPath(new URL('../package-lock.json', import.meta.url))
const lock = JSON.parse(readFileSync(file, 'utf8'))

const systems = {
  windows: 'win32',
  win32: 'win32',
  darwin: 'darwin',
  linux: 'linux',
  android: 'android',
  freebsd: 'freebsd',
  openharmony: 'openharmony',
}
const processors = {
  arm64: 'arm64',
  x64: 'x64',
  64: 'x64',
  ia32: 'ia32',
  arm: 'arm',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  wasm32: 'wasm32',
}

/** Where a package runs, as its name says: `@biomejs/cli-linux-arm64-musl`. */
function platformOf(name) {
  const words = name.split('/').at(-1).split('-')
  const system = words.find((word) => word in systems)
  const processor = words.find((word) => word in processors)
  if (!system || !processor) return undefined
  const libc = words.includes('musl') ? { libc: ['musl'] } : {}
  return { cpu: [processors[processor]], ...libc, os: [systems[system]] }
}

for (const { optionalDependencies = {}, dev } of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const place = `node_modules/${name}`
    const platform = platformOf(name)
    if (lock.packages[place] || !platform || !/^\d/.test(version)) continue
    lock.packages[place] = { version, ...platform, ...(dev ? { dev } : {}), optional: true }
  }
}

const isEarlier = ([left], [right]) => (left < right ? -1 : 1)
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(isEarlier))
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
