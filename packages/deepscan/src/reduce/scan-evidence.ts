import { isFailure } from '@switchyard/ground/failure'
import type { Finding } from '../finding/finding.ts'
import type { ManifestEntry } from '../store/manifest-schema.ts'
import type { OpenScan } from '../store/open-scan.ts'
import { readFindings, readManifest } from '../store/read-records.ts'
import { readText } from '../store/read-text.ts'
import { containedFile } from '../walk/containment.ts'
import { decodeText } from '../walk/measure.ts'
import { readFileBytes } from '../walk/source-file.ts'
import type { Evidence } from './verify.ts'

/** The findings of a scan as they are now: of one that was written again, the last. */
export function foldFindings(open: OpenScan): Finding[] {
  const last = new Map<string, Finding>()
  for (const finding of readFindings(open)) {
    last.set(JSON.stringify([finding.id, finding.analyser, finding.agent, finding.chunk]), finding)
  }
  return [...last.values()]
}

/**
 * The files of a scan. One that has changed since `init` is read as it is now, where lines may have moved; one that is
 * gone, or was never part of the scan, is no evidence.
 */
export function scanEvidence(open: OpenScan): Evidence {
  const entries = new Map<string, ManifestEntry>()
  for (const entry of readManifest(open)) if (entry.skip === null) entries.set(entry.path, entry)
  const textOf = (path: string) => {
    const entry = entries.get(path)
    return entry === undefined ? undefined : textOfEntry(open, entry)
  }
  return { textOf, paths: () => entries.keys() }
}

function textOfEntry(open: OpenScan, entry: ManifestEntry): string | undefined {
  try {
    return readText(open, entry)
  } catch (error) {
    if (!isFailure(error) || error.kind !== 'conflict') throw error
  }
  return open.scan.rev === null ? textNow(open, entry) : undefined
}

function textNow({ scan }: OpenScan, { path, encoding, mark }: ManifestEntry): string | undefined {
  try {
    const file = readFileBytes(containedFile(scan.root, path), scan.max_file_bytes)
    return typeof file === 'string' ? undefined : decodeText(file.bytes, encoding, mark)
  } catch (error) {
    if (isFailure(error)) return undefined
    throw error
  }
}
