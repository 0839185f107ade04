import { Failure } from '@switchyard/ground/failure'
import { readBlocks } from '../explore/blocks.ts'
import { wantedFiles } from '../explore/wanted-files.ts'
import type { OpenScan } from '../store/open-scan.ts'
import { readManifest } from '../store/read-records.ts'
import { readText } from '../store/read-text.ts'
import { rootOfPath } from '../walk/walk-files.ts'

/** The files that code may read: those of a scan as they were, else those of the project. */
export type Reading = {
  root: string
  paths: readonly string[]
  /** Fails when there is no such file among them. */
  text(path: string): string
}

export function readingOfScan(open: OpenScan): Reading {
  const entries = new Map(
    [...readManifest(open)].flatMap((entry) => (entry.skip === null ? [[entry.path, entry]] : [])),
  )
  const text = (path: string) => {
    const entry = entries.get(path)
    if (entry === undefined) throw noFile(path)
    return readText(open, entry)
  }
  return { root: open.scan.root, paths: [...entries.keys()], text }
}

export function readingOfProject(cwd: string, home: string | undefined): Reading {
  const wanted = { paths: ['.'], globs: [], types: [], gitignore: true }
  const files = new Map<string, string>()
  for (const { path, absolute, skip } of wantedFiles(wanted, { cwd, home }))
    if (skip === null) files.set(path, absolute)
  const text = (path: string) => {
    const absolute = files.get(path)
    const blocks = absolute === undefined ? 'not there' : readBlocks(absolute)
    if (typeof blocks === 'string') throw noFile(path)
    return [...blocks].map(({ bytes }) => bytes.toString()).join('')
  }
  return { root: rootOfPath('.', { cwd, home }), paths: [...files.keys()], text }
}

function noFile(path: string): Failure {
  return new Failure('notFound', `there is no ${JSON.stringify(path)} among the files; list_files() has them`)
}
