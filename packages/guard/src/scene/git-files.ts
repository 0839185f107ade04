// What git's own files tell, without running git: the branch that is checked out, the default branch, aliases.
import { join } from 'node:path'
import { isKnown } from '../shell/command.ts'
import type { GuardWorld } from './world.ts'

/** The branch checked out where `cwd` is; undefined when it is detached, unknown, or in no repository. */
export function branchAt(cwd: string, world: GuardWorld): string | undefined {
  const repository = isKnown(cwd) ? world.repositoryAt(world.realPath(cwd) ?? cwd) : undefined
  const head = repository && world.read(join(repository.gitDir, 'HEAD'))
  return /^ref: refs\/heads\/(.+?)\s*$/.exec(head ?? '')?.[1]
}

/** Whether there is a branch of that name where `cwd` is. */
export function isBranch(name: string, cwd: string, world: GuardWorld): boolean {
  const repository = isKnown(cwd) ? world.repositoryAt(world.realPath(cwd) ?? cwd) : undefined
  if (repository === undefined || !isKnown(name)) return false
  if (world.realPath(join(repository.commonDir, 'refs', 'heads', name)) !== undefined) return true
  return (world.read(join(repository.commonDir, 'packed-refs')) ?? '')
    .split('\n')
    .some((line) => line.endsWith(` refs/heads/${name}`))
}

/** The branch that origin calls its default. */
export function originDefault(commonDir: string, world: GuardWorld): string | undefined {
  const head = world.read(join(commonDir, 'refs', 'remotes', 'origin', 'HEAD'))
  return /^ref: refs\/remotes\/origin\/(.+?)\s*$/.exec(head ?? '')?.[1]
}

/** Git's alias of that name where `cwd` is: the repository's, the person's, the system's, the nearest first. */
export function aliasAt(name: string, cwd: string, world: GuardWorld): string | undefined {
  const repository = isKnown(cwd) ? world.repositoryAt(world.realPath(cwd) ?? cwd) : undefined
  const personal = world.env.XDG_CONFIG_HOME ?? join(world.home, '.config')
  const files = [
    ...(repository ? [join(repository.gitDir, 'config.worktree'), join(repository.commonDir, 'config')] : []),
    world.env.GIT_CONFIG_GLOBAL ?? join(world.home, '.gitconfig'),
    join(personal, 'git', 'config'),
    '/etc/gitconfig',
  ]
  for (const file of files) {
    const found = aliasIn(world.read(file) ?? '', name.toLowerCase())
    if (found !== undefined) return found
  }
  return undefined
}

function aliasIn(text: string, name: string): string | undefined {
  if (!/\[\s*alias/i.test(text)) return undefined
  let isAlias = false
  let found: string | undefined
  for (const line of text.replace(/\\\r?\n/g, '').split('\n')) {
    const section = /^\s*\[\s*([^\]"\s]+)\s*(?:"([^"]*)")?\s*\]/.exec(line)
    if (section) isAlias = section[1]?.toLowerCase() === 'alias'
    const [, key, value = ''] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (isAlias && key?.toLowerCase() === name) found = unquoted(value)
  }
  return found
}

/** A value as git reads it: quotes taken away, escapes resolved, a comment behind it dropped. */
function unquoted(value: string): string {
  let text = ''
  let isQuoted = false
  for (let at = 0; at < value.length; at++) {
    const sign = value[at] ?? ''
    if (sign === '\\') text += value[++at] ?? ''
    else if (sign === '"') isQuoted = !isQuoted
    else if (!isQuoted && (sign === '#' || sign === ';')) break
    else text += sign
  }
  return text.trim()
}
