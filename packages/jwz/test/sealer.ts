import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cleanEnv, tempFolder } from '@switchyard/testkit'

let bundle: string | undefined

/** The program of fixtures/sealer.ts, bundled, because Node 20 does not run TypeScript. */
function sealerBundle(): string {
  if (bundle !== undefined && existsSync(bundle)) return bundle
  bundle = join(tempFolder('sealer'), 'sealer.mjs')
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const entry = fileURLToPath(new URL('fixtures/sealer.ts', import.meta.url))
  const options = ['--bundle', '--platform=node', '--format=esm', '--log-level=warning', `--outfile=${bundle}`]
  // What jsonl loads lazily is CommonJS inside, which asks for `require`.
  const banner = `--banner:js=import{createRequire}from'node:module';const require=createRequire(import.meta.url);`
  execFileSync(join(root, 'node_modules/.bin/esbuild'), [entry, ...options, banner], { cwd: root })
  return bundle
}

/** A process that seals the log at `path` again and again until its stdin ends, and then prints how often it did. */
export function startSealer(path: string, env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [sealerBundle(), path], { env: cleanEnv(env), stdio: 'pipe' })
}
