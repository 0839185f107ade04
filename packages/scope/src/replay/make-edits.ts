// Making edits again in a folder, and nowhere else: what was recorded is believed in nothing.
import { mkdirSync, realpathSync, rmSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { lstatIfThere, orRefused, readStored } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { writePlainFile } from '@switchyard/ground/plain-file'
import type { FileEdit } from './edit.ts'

/** Where an edit that was recorded in the folder `from` is made in the folder `into`; undefined where that is outside. */
export function placeOf(path: string, from: string, into: string): string | undefined {
  const inside = relative(from, isAbsolute(path) ? path : resolve(from, path))
  return inside === '' || leadsOut(inside) ? undefined : join(into, inside)
}

/** Whether a relative path leads out of a folder, or into what is git's, also where names have no case. */
function leadsOut(inside: string): boolean {
  const steps = inside.split(sep)
  return isAbsolute(inside) || steps[0] === '..' || steps.some((step) => step.toLowerCase() === '.git')
}

/** Makes an edit at `place`, in the folder `into`. Fails where the file is not as it was, or a link leads out. */
export function makeEdit(edit: FileEdit, place: string, into: string): void {
  orRefused(`${edit.path} was to be changed`, () => {
    refuseWayOut(place, into)
    if (edit.is === 'delete') rmSync(place, { force: true })
    else writeAt(place, edit.is === 'write' ? edit.text : changedText(edit, readStored(place)))
  })
}

function changedText(edit: Extract<FileEdit, { is: 'replace' }>, before: string | undefined): string {
  const { path, from, to, all } = edit
  if (before !== undefined && from === '')
    return `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${to}\n`
  if (before?.includes(from)) return all ? before.replaceAll(from, () => to) : before.replace(from, () => to)
  const what = before === undefined ? 'the file is not there' : 'the text that was replaced is not in it'
  throw new Failure('failed', `expected ${path} as the recorded agent found it, ${what}`, {
    hint: 'begin with the files that it began with',
  })
}

function writeAt(place: string, text: string): void {
  mkdirSync(dirname(place), { recursive: true })
  writePlainFile(place, text)
}

/** Fails where a link leads out, or into what is git's, or is in the place of the file. */
function refuseWayOut(place: string, into: string): void {
  let folder = dirname(place)
  while (lstatIfThere(folder) === undefined) folder = dirname(folder)
  const inside = relative(realpathSync(into), realpathSync(folder))
  const isLink = lstatIfThere(place)?.isSymbolicLink() ?? false
  if (!isLink && !leadsOut(inside)) return
  throw new Failure('conflict', `expected ${place} to lie in ${into}, a link leads elsewhere`)
}
