// Trees that a verify command passed on: one small file each in loop's private folder, signed by the process of loop
// that saw it. For a landing counts what a process of its own run saw, on the same files; anybody can write a file.

import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { statAt } from '@switchyard/ground/at-path'
import { entriesIn, readStored } from '@switchyard/ground/disk'
import { fnv1a } from '@switchyard/ground/fnv1a'
import { parseJson } from '@switchyard/ground/parse-json'
import { isSignedHere, type Signed, signatureOf } from '@switchyard/ground/signature'
import type { Env } from '@switchyard/ground/state-folder'
import { ulid } from '@switchyard/ground/ulid'
import { writeWhole } from '@switchyard/ground/whole-file'
import { ownFolder } from '../record/own-folder.ts'

/**
 * That `command` exited 0 on the files of `tree`. `run` is the run whose process saw it, null for `loop verify`, which
 * decides nothing. `at` is milliseconds since 1970.
 */
export type Pass = { tree: string; command: string; run: string | null; at: number }

/** Where passes are kept, and the environment that names the key of this machine. */
export type PassPlace = { readonly commonDir: string; readonly env: Env }

/** What a command looked at beside the tree changes with time: a pass this old is made again. */
const passLivesMs = 7 * 24 * 3_600_000

const folderOf = (commonDir: string) => ownFolder(commonDir, 'verified')

/** The file of a pass. */
export function passFile(commonDir: string, { tree, command, run }: Omit<Pass, 'at'>): string {
  const word = fnv1a(JSON.stringify([command, run]))
  return join(folderOf(commonDir), `${tree}-${word.toString(16).padStart(8, '0')}.json`)
}

/** The pass of a command on a tree in that run; undefined when there is none, or none that is younger than a week. */
export function findPass(place: PassPlace, wanted: Omit<Pass, 'at'>, now: number): Pass | undefined {
  const path = passFile(place.commonDir, wanted)
  const pass = readPass(place, path)
  const isIt = pass?.tree === wanted.tree && pass.command === wanted.command && pass.run === wanted.run
  return isIt && now - pass.at < passLivesMs ? pass : undefined
}

/** A pass of whichever run, or of `loop verify`, for this tree and command: to tell, never to decide. */
export function findAnyPass(place: PassPlace, tree: string, command: string, now: number): Pass | undefined {
  const folder = folderOf(place.commonDir)
  for (const { name } of entriesIn(folder)) {
    const pass = name.startsWith(`${tree}-`) ? readPass(place, join(folder, name)) : undefined
    if (pass?.tree === tree && pass.command === command && now - pass.at < passLivesMs) return pass
  }
  return undefined
}

/** Keeps a pass; a later one of the same takes its place. Where this machine has no key, none is kept. */
export function keepPass({ commonDir, env }: PassPlace, pass: Pass): void {
  const signature = signatureOf('verified', signed(commonDir, pass), env)
  if (signature === undefined) return
  const path = passFile(commonDir, pass)
  mkdirSync(folderOf(commonDir), { recursive: true })
  writeWhole(path, `${path}.${ulid(pass.at)}.draft`, `${JSON.stringify({ v: 1, ...pass, signature })}\n`)
}

/** A pass is signed for this repository alone: what passed elsewhere on the same files may fail here. */
const signed = (commonDir: string, { tree, command, run, at }: Pass): Signed => [commonDir, tree, command, run, at]

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

function readPass({ commonDir, env }: PassPlace, path: string): Pass | undefined {
  const text = readStored(path)
  const read: unknown = text === undefined ? undefined : parseJson(text)
  if (typeof read !== 'object' || read === null) return undefined
  if (!('tree' in read && 'command' in read && 'run' in read && 'at' in read && 'signature' in read)) return undefined
  const { tree, command, run, at, signature } = read
  if (typeof tree !== 'string' || typeof command !== 'string' || typeof at !== 'number') return undefined
  if (typeof run !== 'string' && run !== null) return undefined
  const pass = { tree, command, run, at }
  return isSignedHere('verified', signed(commonDir, pass), signature, env) ? pass : undefined
}
