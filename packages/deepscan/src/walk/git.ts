import { spawnSync } from 'node:child_process'
import { Failure } from '@switchyard/ground/failure'
import { gitSays, mechanicalGit, mechanicalGitEnvironment } from '@switchyard/ground/mechanical-git'

type Env = Readonly<Record<string, string | undefined>>

/**
 * A repository to ask: the top of its working tree, the environment that git is given, and settings that hold before
 * its own.
 */
export type GitPlace = { top: string; env: Env; settings?: readonly Setting[] }

type Setting = readonly [name: string, value: string]

const outputBytesMax = 512 * 1024 * 1024
/** Nothing of the caller's that would send git elsewhere. */
const misleading = /^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|NAMESPACE|PREFIX|EXTERNAL_DIFF|CONFIG_)/

/**
 * The command line and environment with which git is asked. The repository may be a stranger's, whose settings name
 * commands: git fetches nothing that is missing.
 */
export function gitCall({ top, env, settings = [] }: GitPlace, args: readonly string[]) {
  const kept = Object.entries(env).filter(([name]) => !misleading.test(name))
  return {
    argv: [...mechanicalGit, '-c', 'core.quotePath=false', '-C', top, ...args],
    env: {
      ...Object.fromEntries(kept),
      ...mechanicalGitEnvironment,
      ...asVariables(settings),
      GIT_ALLOW_PROTOCOL: 'none',
    },
  }
}

/** Settings for git, whatever characters are in their names. */
function asVariables(settings: readonly Setting[]): Env {
  const pairs = settings.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ])
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(pairs) }
}

/** The place without the filters that its own settings name, which are commands; those of the user stay. */
function withoutFilters(place: GitPlace): GitPlace {
  const asked = ['config', '--show-scope', '--null', '--name-only', '--get-regexp', '^filter\\..*\\.(clean|process)$']
  const [parts, settings]: [string[], Setting[]] = [split(askGit(place, ...asked) ?? ''), []]
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [scope, name = ''] = [parts[at], parts[at + 1]]
    if (scope !== 'local' && scope !== 'worktree') continue
    settings.push([name, ''], [`${name.slice(0, name.lastIndexOf('.'))}.required`, 'false'])
  }
  return { ...place, settings }
}

/** What git prints; undefined when it exits with 1, as it does for what is not there. Fails as `outside` otherwise. */
function askGit(place: GitPlace, ...args: string[]): string | undefined {
  const { argv, env } = gitCall(place, args)
  const { status, stdout, stderr, error } = spawnSync('git', argv, { env, maxBuffer: outputBytesMax, encoding: 'utf8' })
  if (error !== undefined) {
    const hint = 'git is needed for --rev, --since and --diff'
    throw new Failure('outside', `git cannot be run: ${error.message}`, { hint, cause: error })
  }
  if (status === 1) return undefined
  if (status !== 0) throw new Failure('outside', `git ${args[0]} failed: ${gitSays(stderr)}`)
  return stdout
}

/** The hash of the commit that a name means. Fails as `notFound` when there is none. */
export function resolveCommit(place: GitPlace, name: string): string {
  const hash = askGit(place, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`)?.trim()
  if (hash !== undefined && /^[0-9a-f]{40,64}$/.test(hash)) return hash
  throw new Failure('notFound', `no commit is called ${JSON.stringify(name)}`, {
    hint: 'git log shows the commits; name a branch, a tag or a hash',
  })
}

/** Where a line of work left `base`: the newest commit that both have, else `base` itself. */
export function forkPoint(place: GitPlace, base: string, tip: string): string {
  return askGit(place, 'merge-base', base, tip)?.trim() || base
}

// In a submodule git would be started by its settings, which are not seen from here.
const plainDiff = [
  ...['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames'],
  ...['--ignore-submodules=dirty', '--submodule=short'],
]

/** The paths that differ between a commit and another one, or the working tree with all that git does not ignore. */
export function changedPaths(place: GitPlace, base: string, rev: string | null): ReadonlySet<string> {
  const ends = rev === null ? [base] : [base, rev]
  const changed = askGit(withoutFilters(place), 'diff', ...plainDiff, '--name-only', '-z', ...ends, '--') ?? ''
  return new Set([...split(changed), ...(rev === null ? untrackedPaths(place) : [])])
}

/** The patch from a commit to another one, or to the working tree, without lines around the changes. */
export function readPatch(place: GitPlace, base: string, rev: string | null): string {
  const ends = rev === null ? [base] : [base, rev]
  const prefixes = ['--src-prefix=a/', '--dst-prefix=b/']
  return askGit(withoutFilters(place), 'diff', ...plainDiff, ...prefixes, '--unified=0', ...ends, '--') ?? ''
}

/** Files that git neither knows nor ignores. */
export function untrackedPaths(place: GitPlace): readonly string[] {
  return split(askGit(place, 'ls-files', '--others', '--exclude-standard', '-z') ?? '')
}

/** An entry of a commit's tree: a file, a link, or the commit of a submodule. */
export type TreeEntry = { mode: string; hash: string; bytes: number; path: string }

/** The files of a commit below the given paths (from the top, with slashes), sorted by path. */
export function listTree(place: GitPlace, rev: string, paths: readonly string[]): TreeEntry[] {
  const wanted = paths.includes('') ? [] : paths
  const printed = askGit(place, 'ls-tree', '-r', '-z', '-l', '--full-tree', rev, '--', ...wanted) ?? ''
  const entries = split(printed).flatMap((line) => {
    const [, mode = '', hash = '', size = '', path = ''] =
      /^(\d+) \w+ ([0-9a-f]+) +(\d+|-|BAD)\t([\s\S]*)$/.exec(line) ?? []
    return mode === '' ? [] : [{ mode, hash, bytes: Number(size) || 0, path }]
  })
  return entries.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}

function split(text: string): string[] {
  return text.split('\0').filter(Boolean)
}
