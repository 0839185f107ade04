import { join } from 'node:path'
import { Failure } from '@switchyard/ground/failure'
import { decodeText, sha256Of } from '../walk/measure.ts'
import { readFileBytes } from '../walk/source-file.ts'
import type { Span } from './chunk-schema.ts'
import type { ManifestEntry } from './manifest-schema.ts'
import type { OpenScan } from './open-scan.ts'

/**
 * The bytes of a file of the scan, as they were at `init`; those of a commit were kept then. Fails as `conflict` when the file has changed or is gone
 * since: lines and quotes would not be where the scan has them.
 */
export function readSnapshot({ scan, folder }: OpenScan, entry: ManifestEntry): Buffer {
  const path = scan.rev === null ? join(scan.root, entry.path) : join(folder, 'files', entry.sha256)
  const file = readFileBytes(path, Math.max(entry.bytes, 1))
  if (typeof file !== 'string' && sha256Of(file.bytes) === entry.sha256) return file.bytes
  throw new Failure('conflict', `${entry.path} has changed since init`, {
    hint: 'deepscan init --force looks at all files again',
    retryable: false,
  })
}

/** The text of a file of the scan, without its byte order mark; see `readSnapshot`. */
export function readText(scan: OpenScan, entry: ManifestEntry): string {
  return decodeText(readSnapshot(scan, entry), entry.encoding, entry.mark)
}

/** The bytes of a span, given those of its file. */
export function spanBytes(bytes: Buffer, { start_byte, end_byte }: Span): Buffer {
  return bytes.subarray(start_byte, end_byte)
}
