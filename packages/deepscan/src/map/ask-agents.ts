import type { Context } from '@switchyard/cli-kit'
import { counted } from '@switchyard/cli-kit/counted'
import { nameOfRunner } from '@switchyard/exec/runner'
import type { ExitCode } from '@switchyard/ground/failure'
import { fail } from '../errors/fail.ts'
import type { OpenScan } from '../store/open-scan.ts'
import { readManifest } from '../store/read-records.ts'
import { openAgentsWorld } from './agents-world.ts'
import { driveMap } from './drive.ts'
import { answerTokens, renderCost } from './estimate.ts'
import { openHints } from './hints.ts'
import { costOf } from './ledger.ts'
import { endOfMap, nextCommand, renderSummary } from './map-end.ts'
import type { MapSummary } from './map-summary.ts'
import type { Performing } from './own-verb.ts'
import { requireChunks } from './require-chunks.ts'
import type { MapSettings } from './settings.ts'
import { openProgressView } from './show-progress.ts'

type Asking = Pick<Context, 'env' | 'now'> & Performing

/**
 * Asks agents until each chunk has a result, shows how that gets on, and says what came of it. The first interrupt lets
 * agents finish what they are at, the second ends them.
 */
export async function askAgents(open: OpenScan, settings: MapSettings, call: Asking): Promise<ExitCode | undefined> {
  await requireChunks(open, call)
  const view = openProgressView(call.output)
  const { world, code, close } = openAgentsWorld(open, call, view.note)
  try {
    if (settings.type.path !== null) view.note(`agent type ${settings.type.name} is ${settings.type.path}`)
    const files = new Map([...readManifest(open)].map((entry) => [entry.path, entry]))
    const hints = openHints(open, files, { env: call.env, uses: settings.usesHints })
    const summary = await driveMap(
      open,
      settings,
      { ...world, hintsOf: hints.of },
      {
        ...{ order: hints.order, onResult: view.result },
        onBegin: (chunks, tokens) => view.note(beginLine(settings, chunks, tokens)),
      },
    )
    view.end()
    return tellEnd(open, summary, code, call.output)
  } finally {
    view.end()
    close()
  }
}

function tellEnd(
  open: OpenScan,
  summary: MapSummary,
  code: () => 130 | 143,
  output: Context['output'],
): ExitCode | undefined {
  const { completed, partial, total } = summary.chunks
  output.one(summary, { text: renderSummary, id: ({ scan }) => scan })
  if (summary.outcome === 'stopped') {
    if (code() === 143) return code()
    throw fail('DS-505', { done: completed + partial, total })
  }
  const ended = endOfMap(open, summary)
  output.note(nextCommand(summary))
  return ended
}

/** The price, before it is spent. */
function beginLine({ runner, jobs, price, budget }: MapSettings, chunks: number, tokens: number): string {
  const output = chunks * answerTokens
  const usd = price === undefined ? null : costOf(tokens, output, price)
  const most = `at most $${budget.usd.toFixed(2)}`
  const agents = `${nameOfRunner(runner)}, ${counted(Math.min(jobs, chunks), 'agent')} at once`
  return `${counted(chunks, 'chunk')} for ${agents}: ${renderCost(tokens + output, usd)}, ${most}`
}
