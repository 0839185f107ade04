// Trees that a verify command passed on: one small file each in loop's private folder. What passed once on a tree is
// not run again on the same files, whoever asks: a landing, a run, a stop hook.

import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { statAt } from '@switchyard/cli-kit/at-path'
import { parseJson } from '@switchyard/cli-kit/parse-json'
import { entriesIn, fnv1a, readIfThere, ulid, writeWhole } from '@switchyard/topic'

/** That `command` exited 0 on the files of `tree`. `at` is milliseconds since 1970. */
export type Pass = { v: 1; tree: string; command: string; at: number }

/** What a command looked at beside the tree changes with time: a pass this old is made again. */
const passLivesMs = 7 * 24 * 3_600_000

const folderOf = (commonDir: string) => join(commonDir, 'loop', 'verified')

function fileOf(commonDir: string, tree: string, command: string): string {
  return join(folderOf(commonDir), `${tree}-${fnv1a(command).toString(16).padStart(8, '0')}.json`)
}

/** The pass of a command on a tree; undefined when there is none, or none that is younger than a week. */
export function findPass(commonDir: string, tree: string, command: string, now: number): Pass | undefined {
  const pass = parsePass(readIfThere(fileOf(commonDir, tree, command)))
  if (pass === undefined || pass.tree !== tree || pass.command !== command) return undefined
  return now - pass.at < passLivesMs ? pass : undefined
}

/** Keeps a pass; a later one of the same command on the same tree takes its place. */
export function keepPass(commonDir: string, pass: Pass): void {
  const path = fileOf(commonDir, pass.tree, pass.command)
  mkdirSync(folderOf(commonDir), { recursive: true })
  writeWhole(path, `${path}.${ulid(pass.at)}.draft`, `${JSON.stringify(pass)}\n`)
}

/** Files of passes too old to count, and drafts that were never finished. */
export function findStalePasses(commonDir: string, now: number): string[] {
  const folder = folderOf(commonDir)
  const paths = entriesIn(folder).map(({ name }) => join(folder, name))
  return paths.filter((path) => now - (statAt(path)?.mtimeMs ?? now) >= passLivesMs)
}

/** Removing one that is gone already is no error. */
export function dropPasses(paths: readonly string[]): void {
  for (const path of paths) rmSync(path, { force: true })
}

function parsePass(text: string | undefined): Pass | undefined {
  const read: unknown = text === undefined ? undefined : parseJson(text)
  if (typeof read !== 'object' || read === null) return undefined
  if (!('tree' in read && 'command' in read && 'at' in read)) return undefined
  const { tree, command, at } = read
  if (typeof tree !== 'string' || typeof command !== 'string' || typeof at !== 'number') return undefined
  return { v: 1, tree, command, at }
}
