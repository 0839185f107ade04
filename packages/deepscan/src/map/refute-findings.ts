import type { Context, Output } from '@switchyard/cli-kit'
import { counted } from '@switchyard/cli-kit/counted'
import { nameOfRunner } from '@switchyard/exec/runner'
import { fail } from '../errors/fail.ts'
import type { Finding } from '../finding/finding.ts'
import { isUnjudged } from '../finding/is-issue.ts'
import type { OpenScan } from '../store/open-scan.ts'
import { estimateTokens } from '../tokens/estimate-tokens.ts'
import { openAgentsWorld } from './agents-world.ts'
import { renderCost } from './estimate.ts'
import { runPool } from './pool.ts'
import { beginSession, endSession, withAgentsLock } from './session.ts'
import type { MapSettings } from './settings.ts'
import { type RefuteRun, workFinding } from './work-finding.ts'

type Asking = Pick<Context, 'env' | 'now' | 'output'>

const promptTokens = 2_000

/**
 * Lets second readers try to refute what agents have found, several at once; each verdict is kept as it comes, and what
 * was asked once is not asked again. Returns all findings, with what was said of them. Fails as DS-404 when the budget
 * is spent, as DS-505 when it was interrupted.
 */
export async function refuteFindings(
  open: OpenScan,
  findings: readonly Finding[],
  settings: MapSettings,
  call: Asking,
): Promise<Finding[]> {
  const items = findings.filter((finding) => isUnjudged(finding) && finding.refutation === undefined)
  const { output } = call
  if (items.length === 0) return [...findings]
  const { world, close } = openAgentsWorld(open, call, output.note)
  const said = new Map<Finding, Finding>()
  output.note(`${counted(items.length, 'finding')} for ${nameOfRunner(settings.runner)} to refute: ${price(items)}`)
  try {
    await withAgentsLock(open, async (pids) => {
      const begin = { verb: 'refute', pids, total: items.length, items: items.length }
      const begun = await beginSession(open, settings, { ...world, hintsOf: async () => [] }, begin)
      const work = (finding: Finding, worker: number, pool: Parameters<typeof workFinding>[3]) => {
        const map: RefuteRun = { ...begun, tell: (kept) => tell(kept, finding, said, output) }
        return workFinding(map, finding, worker, pool)
      }
      const { draining, run, ledger } = begun
      const pooled = runPool(items, { jobs: settings.jobs, draining, now: run.now, work })
      const failure = await pooled.catch((error: unknown) => error)
      const counts = { asked: said.size, left: items.length - said.size }
      const outcome = counts.left === 0 ? 'done' : draining.aborted ? 'stopped' : 'limit'
      await endSession(begun, { ...world, hintsOf: async () => [] }, { outcome, counts, failure })
      if (draining.aborted) throw fail('DS-505', { done: said.size, total: items.length })
      const over = counts.left === 0 ? undefined : ledger.over()
      if (over !== undefined) throw fail('DS-404', { reason: over })
    })
  } finally {
    close()
  }
  return findings.map((finding) => said.get(finding) ?? finding)
}

function tell(kept: Finding, finding: Finding, said: Map<Finding, Finding>, output: Output): void {
  said.set(finding, kept)
  output.note(`${kept.refutation?.word} ${kept.path}:${kept.line} ${kept.title}`)
}

function price(items: readonly Finding[]): string {
  return renderCost(
    items.reduce((sum, { message }) => sum + promptTokens + estimateTokens(message), 0),
    null,
  )
}
