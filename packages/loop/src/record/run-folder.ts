// The folder of a run beside the repository's objects: who owns it, and the pids of its children. It is there exactly
// while the run is.

import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive, readProcess } from '@switchyard/exec'
import { statAt } from '@switchyard/ground/at-path'
import { entriesIn, readStored } from '@switchyard/ground/disk'
import { bootId } from '@switchyard/ground/process-name'
import type { Owner } from '../state/event-schema.ts'
import { ownFolder } from './own-folder.ts'

const runsFolder = (commonDir: string) => ownFolder(commonDir)
const abandonedMs = 60_000

/** Who this process is, for whoever finds the run later. */
export function ownerOf(pid: number): Owner {
  return { pid, start: readProcess(pid)?.start ?? '', boot: bootId() }
}

export function isOwnerAlive({ pid, start, boot }: Owner): boolean {
  return boot === bootId() && isAlive({ pid, start })
}

/** Makes the folder of a run, with its owner in it from the first moment that others see it. */
export function makeRunFolder(commonDir: string, run: string, owner: Owner): string {
  const runs = runsFolder(commonDir)
  const making = join(runs, `.new-${run}`)
  mkdirSync(making, { recursive: true })
  writeFileSync(join(making, 'owner.json'), `${JSON.stringify(owner)}\n`)
  renameSync(making, join(runs, run))
  return join(runs, run)
}

/** A run whose process is gone. */
export type DeadRun = { run: string; folder: string }

/** Runs that were never finished and whose process is dead, also those that another recovery began and did not end. */
export function findDeadRuns(commonDir: string, now: number): DeadRun[] {
  const runs = runsFolder(commonDir)
  const dead: DeadRun[] = []
  for (const name of namesIn(runs)) {
    const folder = join(runs, name)
    if (name.startsWith('.new-')) {
      if ((statAt(folder)?.mtimeMs ?? now) < now - abandonedMs) rmSync(folder, { recursive: true, force: true })
      continue
    }
    if (name.endsWith('.dead')) dead.push({ run: name.slice(0, -'.dead'.length), folder })
    else if (isDead(folder)) dead.push({ run: name, folder })
  }
  return dead
}

/** Takes the folder away from what the dead run left: a child that has not noted its pid yet will never start. */
export function seize({ run, folder }: DeadRun, commonDir: string): DeadRun {
  if (folder.endsWith('.dead')) return { run, folder }
  const seized = join(runsFolder(commonDir), `${run}.dead`)
  renameSync(folder, seized)
  return { run, folder: seized }
}

/** The pid files in it and what is to be done with each. */
export function pidFilesIn(folder: string): { path: string; onOrphan: 'end' | 'wait' }[] {
  return namesIn(folder)
    .filter((name) => /^\d+\.(end|wait)$/.test(name))
    .map((name) => ({ path: join(folder, name), onOrphan: name.endsWith('.end') ? 'end' : 'wait' }))
}

export function removeRunFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/** Whether a run has a folder: its process lives, or nobody has cleaned up after it yet. */
export function hasRunFolder(commonDir: string, run: string): boolean {
  return [run, `${run}.dead`].some((name) => existsSync(join(runsFolder(commonDir), name)))
}

/** Whether the process of a run is there; false for a run that a session owns. */
export const isRunAlive = (commonDir: string, run: string) => livingOwner(commonDir, run) !== undefined

function livingOwner(commonDir: string, run: string): Owner | undefined {
  const text = readStored(join(runsFolder(commonDir), run, 'owner.json'))
  const owner: Owner | undefined = text === undefined ? undefined : JSON.parse(text)
  return owner !== undefined && isOwnerAlive(owner) ? owner : undefined
}

function isDead(folder: string): boolean {
  const text = readStored(join(folder, 'owner.json'))
  return text !== undefined && !isOwnerAlive(JSON.parse(text))
}

const namesIn = (folder: string) => entriesIn(folder).map(({ name }) => name)

/** Runs whose process is there, and which process that is. */
export function ownersAtWork(commonDir: string): { run: string; owner: Owner }[] {
  return namesIn(runsFolder(commonDir)).flatMap((run) => {
    const owner = livingOwner(commonDir, run)
    return owner === undefined ? [] : [{ run, owner }]
  })
}

/** Runs whose process is there. */
export const aliveRuns = (commonDir: string) => ownersAtWork(commonDir).map(({ run }) => run)
