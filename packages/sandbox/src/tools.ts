// Programs outside the folders of the system: those of PATH, and what stands beside them.
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path'
import type { Disk } from './disk.ts'

/** Below home: where tool chains and their managers keep programs, and no logins. */
const toolFolders = [
  ...['.nvm/versions', '.volta', '.fnm', '.asdf', '.pyenv', '.rbenv', '.sdkman', '.bun/bin', '.deno/bin', '.local/bin'],
  ...['.cargo/bin', '.cargo/registry', '.rustup', 'go/bin', 'go/pkg', '.npm-global', '.yarn', '.linuxbrew', '.opam'],
  ...['.ghcup', '.juliaup', '.elan', '.nix-profile', '.m2/repository', '.gradle/wrapper', '.cache/ms-playwright'],
  ...['.local/lib', '.local/share/claude', '.local/share/fnm', '.local/share/mise', '.local/share/pnpm'],
  ...['.local/share/uv', '.local/share/pipx', '.local/state/nix'],
]

type Asked = {
  readonly home: string
  /** As in the environment. */
  readonly path: string
  /** Folders that the person wants to be seen, as PATH lists them. */
  readonly more: string
}

/** The suite's own, which agents call. */
const ofSuite = ['jwz', 'tissue', 'scope', 'loop', 'deepscan', 'node', 'npm']

export function toolsOf({ home, path, more }: Asked, disk: Disk): string[] {
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder))
  const programs = ofSuite.flatMap((name) => {
    const found = folders.map((folder) => join(folder, name)).find(disk.isThere)
    return found === undefined ? [] : (disk.realPath(found) ?? [])
  })
  return [
    ...toolFolders.map((name) => join(home, name)),
    ...folders.map(withPackages),
    ...programs.map(packageAround),
    ...more.split(delimiter).filter((folder) => isAbsolute(folder)),
  ]
}

/** What npm links into `node_modules/.bin` leads to packages beside it. */
const withPackages = (folder: string) =>
  basename(folder) === '.bin' && basename(dirname(folder)) === 'node_modules' ? dirname(folder) : folder

/** The package that a program is in: all of `node_modules`, or the folder that holds its `bin`. */
function packageAround(program: string): string {
  const modules = /^.*?\/node_modules(?=\/)/.exec(program)?.[0]
  if (modules !== undefined) return modules
  return basename(dirname(program)) === 'bin' ? dirname(dirname(program)) : program
}
