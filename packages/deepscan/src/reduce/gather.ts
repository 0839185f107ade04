import type { Context } from '@switchyard/cli-kit'
import { readText } from '@switchyard/cli-kit/body'
import { Failure } from '@switchyard/ground/failure'
import type { Finding } from '../finding/finding.ts'
import { parseFindings } from '../finding/parse-findings.ts'
import { type OpenScan, openScan } from '../store/open-scan.ts'
import { readResults } from '../store/read-records.ts'
import { foldFindings, scanEvidence } from './scan-evidence.ts'
import { verifyFindings } from './verify.ts'

/** The longest list of findings that is read whole. */
const findingsBytesMax = 500 * 1024 * 1024

/** Findings, and the scan that they are of; those of a file or of stdin are of none. */
export type Gathered = { findings: Finding[]; open: OpenScan | undefined }

/** What a person named: a file of findings (`-` for stdin), or a scan; neither is the current scan. */
export type Source = { file: string | undefined; session: string | undefined }

/**
 * Reads findings. Those of a scan are verified against its files. Exits 2 for what is no finding, 3 when the file or
 * the scan is not there.
 */
export function gatherFindings(
  { file, session }: Source,
  { cwd, env, input }: Pick<Context, 'cwd' | 'env' | 'input'>,
): Gathered {
  if (file !== undefined) {
    return { findings: parseFindings(readText(file, { cwd, input }, findingsBytesMax), file), open: undefined }
  }
  const open = openScan(env, cwd, session)
  return { findings: verifyFindings(foldFindings(open), scanEvidence(open)), open }
}

/** Exits 3 where a scan has no findings because no chunk of it has a result: that is no answer. */
export function refuseUnread({ findings, open }: Gathered): void {
  if (open === undefined || findings.length > 0) return
  for (const { status } of readResults(open)) if (status !== 'failed') return
  throw new Failure('notFound', 'nothing of the scan was analysed yet', {
    hint: 'deepscan map analyses it, deepscan run --jsonl pipes findings into deepscan reduce - or deepscan export --from -',
  })
}
