// `npm run check`: types, style, dead code and the walls between packages, at the same time. Each that fails says so in its own words.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const checks = [
  ['knip', '--no-config-hints'],
  ['tsc', '-b'],
  ['biome', 'ci', '--error-on-warnings', '.'],
  ['turbo', 'boundaries'],
]

/** Whether it went well; what it prints comes in one piece. */
function isGood([name, ...args]) {
  const child = spawn(`${root}node_modules/.bin/${name}`, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const printed = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => printed.push(chunk))
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', (code) => {
      if (code !== 0) process.stdout.write(Buffer.concat([Buffer.from(`✗ ${name} ${args.join(' ')}\n`), ...printed]))
      done(code === 0)
    })
  })
}

const good = await Promise.all(checks.map(isGood))
process.exitCode = good.every(Boolean) ? 0 : 1
