import type { Context } from '@switchyard/cli-kit'
import { ulid } from '@switchyard/ground/ulid'
import { appendEvents, appendFindings, appendResult, startRun } from '../store/append-records.ts'
import type { Chunk } from '../store/chunk-schema.ts'
import { foldProgress } from '../store/fold-status.ts'
import type { OpenScan } from '../store/open-scan.ts'
import { readManifest, readResults } from '../store/read-records.ts'
import type { Result } from '../store/result-schema.ts'
import { byRules } from './choose-chunks.ts'
import { nextCommand, renderSummary } from './map-end.ts'
import { type MapSummary, summaryOf } from './map-summary.ts'
import { requireChunks } from './require-chunks.ts'
import { openRuleHints } from './rule-hints.ts'

/** Looks at each chunk with the rules, where no agent is named: no key, no network, no question is needed. */
export async function mapByRules(open: OpenScan, only: string, call: Context): Promise<undefined> {
  const { now, output } = call
  const run = startRun(now)
  const hints = openRuleHints(open, new Map([...readManifest(open)].map((entry) => [entry.path, entry])))
  const done = new Set(only === 'all' ? [] : [...readResults(open)].map(({ chunk }) => chunk))
  const chunks = await requireChunks(open, call)
  const isLeft = chunks.some(({ id }) => !done.has(id)) || foldProgress(open).phase === 'chunking'
  appendEvents(open, run, [
    { type: 'session_start', verb: 'map', agent: byRules },
    ...(isLeft ? [{ type: 'phase', phase: 'mapping' } as const] : []),
  ])
  for (const chunk of chunks) {
    if (done.has(chunk.id)) continue
    const result = resultOf(chunk, ulid(now()), new Date(now()).toISOString())
    const findings = (await hints.inChunk(chunk)).map((found) => ({ ...found, chunk: chunk.id, result: result.id }))
    if (findings.length > 0) appendFindings(open, findings)
    appendResult(open, { ...result, findings: findings.length })
    const { length } = findings
    appendEvents(open, run, [{ type: 'chunk_complete', chunk: chunk.id, status: 'completed', findings: length }])
  }
  appendEvents(open, run, [{ type: 'session_end', outcome: 'done' }])
  const summary = summaryOf(open, {
    ...{ last: new Map([...readResults(open)].map((result) => [result.chunk, result])), over: undefined },
    ...{
      isMeant: ({ analyser }) => analyser !== 'agent',
      spent: { tokens: 0, usd: 0, escalations: 0 },
      isStopped: false,
    },
  })
  output.one(summary, { text: (told) => `${renderSummary(told)} (by rules)`, id: ({ scan }: MapSummary) => scan })
  output.note(nextCommand(summary))
  return undefined
}

function resultOf({ id: chunk }: Chunk, id: string, at: string): Result & { id: string } {
  return {
    ...{ v: 1, type: 'result', id, chunk, status: 'completed', findings: 0, missing_info: [], partial_answer: null },
    ...{ error: null, agent: byRules, model: null, attempt: 1, key: byRules, usage: null, at },
  }
}
