import { isFailure } from '@switchyard/ground/failure'
import * as z from 'zod'
import { currentId } from './current.ts'
import { foldProgress, statusSchema } from './fold-status.ts'
import { listScanIds, readScan } from './open-scan.ts'

/** A line of `deepscan list --json`. */
export const listedSchema = statusSchema
  .pick({ v: true, scan: true, name: true, root: true, query: true, phase: true, progress: true, chunks: true })
  .extend({
    type: z.literal('listed'),
    current: z.boolean().describe('Whether it is the current scan of its project'),
    created: z.string(),
    updated: z.string(),
  })
export type Listed = z.infer<typeof listedSchema>

/** All scans, the last one worked on first. One that is damaged is told of and passed by. */
export function listScans(home: string, complain: (text: string) => void): Listed[] {
  const listed = listScanIds(home).flatMap((id) => {
    try {
      return [describeScan(home, id)]
    } catch (error) {
      if (!isFailure(error)) throw error
      complain(`${id}: ${error.message}`)
      return []
    }
  })
  return listed.sort((a, b) => (a.updated > b.updated ? -1 : a.updated < b.updated ? 1 : 0))
}

function describeScan(home: string, id: string): Listed {
  const open = readScan(home, id)
  const { name, root, query, created } = open.scan
  const { phase, progress, chunks, updated } = foldProgress(open)
  const current = currentId(home, root) === id
  return { v: 1, type: 'listed', scan: id, name, root, query, phase, progress, chunks, current, created, updated }
}
