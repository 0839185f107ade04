import type { Context } from '@switchyard/cli-kit'
import { readText } from '@switchyard/cli-kit/body'
import { counted } from '@switchyard/cli-kit/counted'
import { ulid } from '@switchyard/ground/ulid'
import { startRun } from '../store/append-records.ts'
import type { OpenScan } from '../store/open-scan.ts'
import { readManifest, readResults } from '../store/read-records.ts'
import { lastResults } from './choose-chunks.ts'
import { readContent } from './chunk-content.ts'
import { readImport } from './import-lines.ts'
import type { ImportedCount } from './import-schema.ts'
import { recordResult } from './record-result.ts'
import { requireChunks } from './require-chunks.ts'

const importBytesMax = 100_000_000
/** `deepscan map --import`: takes in answers that agents of somebody else have given; the same ones again change nothing. */
export async function importAnswers(open: OpenScan, file: string, call: Context): Promise<undefined> {
  const chunks = new Map((await requireChunks(open, call)).map((chunk) => [chunk.id, chunk]))
  const imported = readImport(readText(file, call, importBytesMax), file === '-' ? 'stdin' : file, chunks)
  const files = new Map([...readManifest(open)].map((entry) => [entry.path, entry]))
  const last = lastResults(readResults(open))
  const told: ImportedCount = {
    ...{ v: 1, type: 'imported', scan: open.scan.id, answers: 0, unchanged: 0, findings: 0, pending: 0 },
  }
  const place = { open, run: startRun(call.now), files, type: open.scan.agent_type }
  for (const { chunk, answer, agent, key } of imported) {
    if (last.get(chunk.id)?.key === key) {
      told.unchanged += 1
      continue
    }
    const about = { agent, key, model: null, attempt: 1, usage: null, error: null }
    const content = await readContent(open, files, chunk)
    const id = ulid(call.now())
    const { result } = recordResult(place, chunk, content, { ...about, id, status: answer.status, answer })
    last.set(chunk.id, result)
    told.answers += 1
    told.findings += answer.findings.length
  }
  told.pending = [...chunks.keys()].filter((id) => !last.has(id)).length
  call.output.one(told, { text: renderImported, id: ({ scan }) => scan })
  return undefined
}

function renderImported({ answers, unchanged, findings, pending }: ImportedCount): string {
  const rest = pending === 0 ? 'every chunk has one' : `${counted(pending, 'chunk')} without one`
  return `${counted(answers, 'answer')} taken in, ${unchanged} there already, ${counted(findings, 'finding')}; ${rest}`
}
