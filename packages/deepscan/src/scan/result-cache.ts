// What the rules gave for a file, kept between runs by its content, so that an unchanged tree is not parsed again. The
// file is a hint: whatever is damaged in it, or written by another version, is scanned again.
import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isFailure, systemCode } from '@switchyard/ground/failure'
import { parseJson } from '@switchyard/ground/parse-json'
import { replaceWhole } from '@switchyard/ground/whole-file'
import * as z from 'zod'
import type { Context } from '../finding/context.ts'
import { findingSchema } from '../finding/finding.ts'
import { type Env, makeScansHome, scansHome } from '../store/scans-home.ts'
import type { FileScan } from './file-scan.ts'

declare const SWITCHYARD_SOURCES: string

const bytesMax = 200_000_000

/** Results of one project with one choice of rules. */
export type ResultCache = {
  find: (path: string, context: Context, bytes: Uint8Array) => { key: string; scan: FileScan | undefined }
  keep: (key: string, path: string, scan: FileScan) => void
  /** Writes what is new. Nothing is lost when it cannot be written. */
  save: () => void
}

const scanSchema = z.object({
  findings: z.array(findingSchema),
  syntaxErrors: z.number().int().min(0),
  overflowed: z.array(z.string()),
  lines: z.number().int().min(0),
})

type Entry = { key: string; line: string }

/**
 * Opens the cache of a project. `choice` is all that decides what the rules give beside the file: each choice has
 * results of its own. Nothing comes back where no closed folder of this user's is to be had.
 */
export function openResultCache(env: Env, root: string, choice: object): ResultCache | undefined {
  const folder = cacheFolder(env)
  if (folder === undefined) return undefined
  const salt = `${SWITCHYARD_SOURCES}\0${JSON.stringify(choice)}`
  const path = join(folder, `rules-${digest(`${root}\0${salt}`).slice(0, 32)}.jsonl`)
  const entries = readEntries(path)
  let isChanged = false
  return {
    find: (name, context, bytes) => {
      const key = digest(`${salt}\0${name}\0${context}\0`, bytes)
      const entry = entries.get(name)
      return { key, scan: entry?.key === key ? readScan(entry.line, key, name) : undefined }
    },
    keep: (key, name, scan) => {
      isChanged = true
      entries.set(name, { key, line: renderEntry(key, name, JSON.stringify(scan)) })
    },
    save: () => {
      if (isChanged) writeEntries(path, entries)
    },
  }
}

function cacheFolder(env: Env): string | undefined {
  try {
    const home = scansHome(env)
    makeScansHome(home)
    return join(home, 'cache')
  } catch (error) {
    if (isFailure(error)) return undefined
    throw error
  }
}

/** `<key> <check> <path as JSON> <scan as JSON>`: the check is of all the rest. */
function renderEntry(key: string, name: string, scan: string): string {
  const path = JSON.stringify(name)
  return `${key} ${digest(`${key}${path}${scan}`).slice(0, 16)} ${path}\t${scan}`
}

function readEntries(path: string): Map<string, Entry> {
  const entries = new Map<string, Entry>()
  for (const line of readCache(path).split('\n')) {
    const name = parseJson(line.slice(82, line.indexOf('\t')))
    if (typeof name === 'string') entries.set(name, { key: line.slice(0, 64), line })
  }
  return entries
}

function readCache(path: string): string {
  try {
    const stats = lstatSync(path)
    return stats.isFile() && stats.size <= bytesMax ? readFileSync(path, 'utf8') : ''
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return ''
  }
}

function readScan(line: string, key: string, name: string): FileScan | undefined {
  const scan = line.slice(line.indexOf('\t') + 1)
  if (renderEntry(key, name, scan) !== line) return undefined
  return scanSchema.safeParse(parseJson(scan)).data
}

function writeEntries(path: string, entries: ReadonlyMap<string, Entry>): void {
  const draft = `${path}.${process.pid}.tmp`
  const lines = [...entries.values()].map(({ line }) => Buffer.from(`${line}\n`))
  try {
    rmSync(draft, { force: true })
    replaceWhole(path, draft, lines, { mode: 0o600 })
  } catch (error) {
    if (systemCode(error) === undefined) throw error
  }
}

function digest(text: string, bytes: Uint8Array = new Uint8Array()): string {
  return createHash('sha256').update(text).update(bytes).digest('hex')
}
