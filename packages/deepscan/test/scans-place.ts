import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run, tempFolder, tempRepo } from '@switchyard/testkit'

type Files = Readonly<Record<string, string | Buffer>>

/** A repository with files beside its commit, a cache folder of its own, and the built deepscan in both. */
export function scansPlace(files: Files, committed: Record<string, string> = { 'README.md': '' }) {
  const home = join(tempFolder('cache'), 'deepscan')
  const root = tempRepo(committed)
  plant(root, files)
  const deepscan = (
    args: readonly string[],
    options: { cwd?: string; env?: Record<string, string>; input?: string } = {},
  ) => {
    const { code, stdout, stderr } = run('deepscan', args, {
      cwd: options.cwd ?? root,
      env: { DEEPSCAN_HOME: home, ...options.env },
      input: options.input ?? '',
    })
    return { code, stdout, stderr }
  }
  const init = (...args: string[]) => deepscan(['init', ...args, '-q']).stdout.trim()
  const linesOf = (id: string, name: string): unknown[] =>
    readFileSync(join(home, 'scans', id, name), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  const scans = () => readdirSync(join(home, 'scans'))
  return { home, root, deepscan, init, linesOf, scans }
}

export function plant(root: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}
