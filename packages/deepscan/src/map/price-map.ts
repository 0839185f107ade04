import type { Context } from '@switchyard/cli-kit'
import { counted } from '@switchyard/cli-kit/counted'
import { nameOfRunner } from '@switchyard/exec/runner'
import type { Chunk } from '../store/chunk-schema.ts'
import type { OpenScan } from '../store/open-scan.ts'
import { readManifest, readResults } from '../store/read-records.ts'
import { chooseChunks, lastResults, sampleOf } from './choose-chunks.ts'
import { type Files, readContent } from './chunk-content.ts'
import { type Estimate, estimateCalls, promptTokens, renderCost } from './estimate.ts'
import { promptForKey } from './prompt.ts'
import { requireChunks } from './require-chunks.ts'
import { findKept, hasKept, keyOf } from './result-cache.ts'
import type { MapSettings } from './settings.ts'

/** `deepscan map --dry-run`: what a map would cost. Nobody is asked, and nothing is written. */
export async function priceMap(open: OpenScan, settings: MapSettings, call: Context): Promise<undefined> {
  const { output } = call
  const { runner, only, sample, type, price } = settings
  const chosen = chooseChunks(await requireChunks(open, call), lastResults(readResults(open)), only)
  const items = sample === undefined ? chosen : sampleOf(chosen, sample)
  const files = new Map([...readManifest(open)].map((entry) => [entry.path, entry]))
  const agent = nameOfRunner(runner)
  const isReusing = only !== 'all' && hasKept(open.home)
  const tokens: number[] = []
  for (const chunk of items) {
    if (!(isReusing && (await isKnown(open, files, chunk, settings)))) tokens.push(promptTokens(chunk))
  }
  const estimate: Estimate = {
    ...{ v: 1, type: 'estimate', scan: open.scan.id, agent, agent_type: type.name, agent_type_file: type.path },
    ...{ chunks: items.length, reused: items.length - tokens.length, ...estimateCalls(tokens, price) },
  }
  output.one(estimate, { text: renderEstimate, id: ({ scan }) => scan })
  if (price === undefined) output.note('--price IN/OUT, dollars for a million tokens in and out, says it in dollars')
  return undefined
}

/** Whether the answer for a chunk is kept from before. */
async function isKnown(open: OpenScan, files: Files, chunk: Chunk, settings: MapSettings): Promise<boolean> {
  const { parts } = await readContent(open, files, chunk)
  const prompt = promptForKey(settings, { chunk: chunk.id, parts, header: chunk.header, around: [], hints: [] })
  return findKept(open.home, keyOf(prompt, nameOfRunner(settings.runner), settings.model)) !== undefined
}

function renderEstimate({
  agent,
  calls,
  reused,
  input_tokens,
  output_tokens,
  cost_usd,
  agent_type,
  agent_type_file,
}: Estimate): string {
  const known = reused === 0 ? '' : ` (${counted(reused, 'answer')} known from before)`
  const type = agent_type_file === null ? agent_type : `${agent_type}, ${agent_type_file}`
  return `${counted(calls, 'call')} of ${agent}${known}: ${renderCost(input_tokens + output_tokens, cost_usd)} without retries\nagent type: ${type}`
}
