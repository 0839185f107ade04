// The git folder of a confined command: its own refs, index, settings and hooks. The objects of the repository are read
// through it; nothing that git reads outside can be written inside.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { platform } from 'node:process'
import { statAt } from '@switchyard/ground/at-path'
import type { Mount } from './mount.ts'
import { type OuterGit, type OuterPlace, outerGit } from './outer-git.ts'

export type InnerGit = {
  readonly outer: OuterPlace
  /** Where it lies outside. */
  readonly folder: string
  /** The commit that it began at; undefined where there was none. */
  readonly head: string | undefined
  readonly mounts: readonly Mount[]
  /** What git is told where nothing can be put in another's place. */
  readonly env: Readonly<Record<string, string>>
}

type Env = Readonly<Record<string, string | undefined>>

/** Where the objects of the repository are seen: its own git folder is out of sight. */
const objectsInside = '/run/switchyard/objects'
const alternatesMax = 16
const emptyBytes = 1024 * 1024

/** Settings that say how files and commits are made; none of them runs anything. */
const taken =
  '^(user\\.(name|email)|core\\.(autocrlf|eol|safecrlf|filemode|ignorecase|symlinks|precomposeunicode)|i18n\\..*)$'

/**
 * Makes a git folder in `folder`, which does not exist yet, at the commit, refs and index of a working tree. Failure
 * `outside` when git cannot read them.
 */
export async function innerGit(outer: OuterPlace, folder: string, env: Env): Promise<InnerGit> {
  const git = outerGit(outer, env)
  const head = (await git.try(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])).stdout.trim() || undefined
  const branch = (await git.try(['symbolic-ref', '--quiet', 'HEAD'])).stdout.trim()
  for (const name of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'info', 'hooks']) {
    mkdirSync(join(folder, name), { recursive: true })
  }
  const real = join(outer.commonDir, 'objects')
  const objects = platform === 'darwin' ? real : objectsInside
  writeFileSync(join(folder, 'objects/info/alternates'), `${objects}\n`)
  writeFileSync(join(folder, 'config'), await settings(git))
  writeFileSync(join(folder, 'packed-refs'), await refs(git))
  writeFileSync(join(folder, 'HEAD'), branch === '' ? `${head}\n` : `ref: ${branch}\n`)
  for (const name of readdirSync(outer.gitDir).filter((file) => file === 'index' || file.startsWith('sharedindex.'))) {
    copyIfThere(join(outer.gitDir, name), join(folder, name))
  }
  for (const name of ['shallow', 'info/exclude', 'info/attributes']) {
    copyIfThere(join(outer.commonDir, name), join(folder, name))
  }
  const alternates = alternatesOf(real)
  return {
    outer,
    folder,
    head,
    mounts: mountsOf(outer, folder, objects, alternates),
    env: environmentOf(outer, folder),
  }
}

async function settings(git: OuterGit): Promise<string> {
  const format = (await git.try(['rev-parse', '--show-object-format'])).stdout.trim()
  const told = (await git.try(['config', '--null', '--get-regexp', taken])).stdout
  const lines = told.split('\0').flatMap((entry) => {
    const [, key = '', value] = /^([^\n]+)\n([\s\S]*)$/.exec(entry) ?? []
    const dot = key.lastIndexOf('.')
    return value === undefined ? [] : [`[${key.slice(0, dot)}]\n\t${key.slice(dot + 1)} = ${quoted(value)}`]
  })
  const isSha256 = format === 'sha256'
  return [
    `[core]\n\trepositoryformatversion = ${isSha256 ? 1 : 0}\n\tbare = false\n\tlogallrefupdates = true`,
    ...(isSha256 ? ['[extensions]\n\tobjectformat = sha256'] : []),
    '[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[commit]\n\tgpgsign = false\n[tag]\n\tgpgsign = false',
    ...lines,
    '',
  ].join('\n')
}

const quoted = (value: string) => `"${value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`

async function refs(git: OuterGit): Promise<string> {
  const listed = await git.run([
    'for-each-ref',
    '--format=%(objectname) %(refname)',
    'refs/heads',
    'refs/tags',
    'refs/remotes',
  ])
  return listed === '' ? '' : `${listed}\n`
}

function copyIfThere(from: string, to: string): void {
  if (statAt(from)?.isFile() === true) copyFileSync(from, to)
}

/** Folders of objects that a folder of objects names, and those that these name. */
function alternatesOf(objects: string): string[] {
  const folders = new Set([objects])
  for (const folder of folders) {
    const path = join(folder, 'info/alternates')
    if (statAt(path)?.isFile() !== true) continue
    const named = readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    for (const line of named) if (folders.size < alternatesMax) folders.add(resolve(folder, line))
  }
  folders.delete(objects)
  return [...folders]
}

function mountsOf({ gitDir, commonDir, workTree }: OuterPlace, folder: string, objects: string, alternates: string[]) {
  const dotGit = join(workTree, '.git')
  const mounts: Mount[] = [
    ...(gitDir === commonDir ? [] : [{ at: commonDir, is: 'empty', bytes: emptyBytes } as const]),
    { at: gitDir, is: 'shown', of: folder, writable: true },
    // Objects come from here alone, whatever is written inside.
    { at: join(gitDir, 'objects/info'), is: 'shown', of: join(folder, 'objects/info'), writable: false },
    { at: objects, is: 'shown', of: join(commonDir, 'objects'), writable: false },
    ...alternates.map((at): Mount => ({ at, is: 'shown', of: at, writable: false })),
    // Git asks each submodule how it stands; it may be read, and nothing more.
    ...[...new Set([join(gitDir, 'modules'), join(commonDir, 'modules')])]
      .filter((path) => statAt(path)?.isDirectory() === true)
      .map((at): Mount => ({ at, is: 'shown', of: at, writable: false })),
    ...(gitDir === dotGit ? [] : [{ at: dotGit, is: 'shown', of: dotGit, writable: false } as const]),
  ]
  return mounts
}

const environmentOf = ({ workTree }: OuterPlace, folder: string): Record<string, string> =>
  platform === 'darwin' ? { GIT_DIR: folder, GIT_WORK_TREE: workTree } : {}
