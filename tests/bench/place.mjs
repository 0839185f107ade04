import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../../packages', import.meta.url))

/** A fresh repository in which a bench runs, and what it runs there. */
export function benchPlace() {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-bench-'))
  const env = { ...process.env, HOME: folder, JWZ_AGENT: 'bench' }
  for (const name of [
    'NODE_EXTRA_CA_CERTS',
    'NODE_OPTIONS',
    'JWZ_STORE',
    'TISSUE_STORE',
    'SCOPE_DIR',
    'SCOPE_SESSION_ID',
  ])
    delete env[name]

  const run = ([program, ...args], input) =>
    execFileSync(program, args, { cwd: folder, env, input: input ?? '', encoding: 'utf8', maxBuffer: 2 ** 30 })
  /** How long a whole process takes, in milliseconds. */
  const milliseconds = ([program, ...args], input, more = {}) => {
    const stdio = [input === undefined ? 'ignore' : 'pipe', 'ignore', 'ignore']
    const start = process.hrtime.bigint()
    const { status } = spawnSync(program, args, {
      cwd: folder,
      env: { ...env, ...more },
      input,
      stdio,
      maxBuffer: 2 ** 30,
    })
    const took = Number(process.hrtime.bigint() - start) / 1e6
    if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}`)
    return took
  }
  run(['git', 'init', '--quiet'])
  return { folder, env, run, milliseconds, leave: () => rmSync(folder, { recursive: true, force: true }) }
}

/** A store of `scope` in a folder: session 0 is at work, session 1 is over. Gives what the agent of session 0 finds in its environment. */
export function sessionsIn(folder) {
  cpSync(join(packages, 'scope', 'warm', 'store'), join(folder, '.scope'), { recursive: true })
  return { SCOPE_DIR: join(folder, '.scope'), SCOPE_SESSION_ID: '0' }
}

/** The command line of a built tool. */
export function tool(name, ...args) {
  return [process.execPath, join(packages, name, 'bin', `${name}.cjs`), ...args]
}

/** Whether a program that is only compared with is there. */
export function has(program) {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
}

/** The value below which the share `part` of the values lies. */
export function quantile(values, part) {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
}

export function median(values) {
  return quantile(values, 0.5)
}

/** Prints rows as a table that a page can take over. */
export function printTable(heads, rows) {
  console.log(`| ${heads.join(' | ')} |\n|---|${'---:|'.repeat(heads.length - 1)}`)
  for (const row of rows) console.log(`| ${row.join(' | ')} |`)
  console.log('')
}
