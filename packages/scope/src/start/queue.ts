// Who waits for a place among the sessions that run: a file each, whose name is its turn. All of it happens in the
// section in which places are given.
import { rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { entriesIn, folderIn, readStored } from '@switchyard/ground/disk'
import { systemCode } from '@switchyard/ground/failure'
import { parseJson } from '@switchyard/ground/parse-json'
import { writePlainFile } from '@switchyard/ground/plain-file'
import { processOf } from '@switchyard/ground/process-name'
import type { Store } from '@switchyard/topic'
import { processName } from '../session/event-schema.ts'
import { isGone } from '../session/process-here.ts'
import { makeFolderIn } from '../session/scope-store.ts'

/** Who was not heard for so long is passed over until it is heard again: it was stopped, and not only slow. */
const patienceMs = 15_000

export const queueFolder = (store: Store) => folderIn(store, 'queue')

const fileOf = (store: Store, turn: number) => join(queueFolder(store), String(turn))

/** Takes the next turn for a process of this machine. */
export function takeTurn(store: Store, pid: number): number {
  makeFolderIn(store, 'queue')
  const turn = 1 + Math.max(0, ...turnsOf(store))
  writePlainFile(fileOf(store, turn), JSON.stringify(processOf(pid)))
  return turn
}

/** Says that who has this turn still waits; returns whether it still has it: somebody may have removed it by hand. */
export function keepTurn(store: Store, turn: number, now: number): boolean {
  try {
    utimesSync(fileOf(store, turn), now / 1000, now / 1000)
    return true
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
    return false
  }
}

/** Gives a turn back. May be repeated. */
export const leaveQueue = (store: Store, turn: number): void => rmSync(fileOf(store, turn), { force: true })

/** Whether somebody waits who came before; without a turn of one's own, whether anybody does. */
export function isBehind(store: Store, turn: number | undefined, now: number): boolean {
  const before = turnsOf(store).filter((other) => turn === undefined || other < turn)
  for (const other of before) if (isLeft(store, other)) leaveQueue(store, other)
  return before.some((other) => now - heardAt(store, other) < patienceMs)
}

const turnsOf = (store: Store): number[] =>
  entriesIn(queueFolder(store)).flatMap(({ name }) => (/^\d{1,15}$/.test(name) ? [Number(name)] : []))

/** Whether its process is gone, or was killed while it took the turn. */
function isLeft(store: Store, turn: number): boolean {
  const { data } = processName.safeParse(parseJson(readStored(fileOf(store, turn)) ?? ''))
  return data === undefined || isGone(data)
}

function heardAt(store: Store, turn: number): number {
  try {
    return statSync(fileOf(store, turn)).mtimeMs
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
    return 0
  }
}
