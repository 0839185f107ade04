import type { Chunk } from '../store/chunk-schema.ts'
import type { OpenScan } from '../store/open-scan.ts'
import { readChunks } from '../store/read-records.ts'
import type { Files } from './chunk-content.ts'
import { readChurn } from './churn.ts'
import { readFanIn } from './fan-in.ts'
import { rankChunks } from './rank-chunks.ts'
import { hintLine, hintWeights, openRuleHints } from './rule-hints.ts'

/** What rules, changes and imports say of chunks. */
export type Hints = {
  /** What rules found in a chunk, a line each. */
  readonly of: (chunk: string) => Promise<readonly string[]>
  /** Chunks in the order in which they are asked about: the most telling first, where hints are wanted. */
  readonly order: (chunks: readonly Chunk[]) => Promise<readonly Chunk[]>
}

const linesMax = 50
const lightKinds = ['test', 'fixture', 'example', 'docs']
const lightWeight = 0.3

export function openHints(
  open: OpenScan,
  files: Files,
  { env, uses }: { env: Readonly<Record<string, string | undefined>>; uses: boolean },
): Hints {
  const rules = openRuleHints(open, files)
  let chunks: ReadonlyMap<string, Chunk> | undefined
  return {
    of: async (id) => {
      chunks ??= new Map([...readChunks(open)].map((chunk) => [chunk.id, chunk]))
      const chunk = chunks.get(id)
      return chunk === undefined ? [] : (await rules.inChunk(chunk)).slice(0, linesMax).map(hintLine)
    },
    order: async (chosen) => {
      if (!uses) return chosen
      const hits = new Map<string, number>()
      for (const chunk of chosen) {
        const found = await rules.inChunk(chunk)
        hits.set(
          chunk.id,
          found.reduce((sum, { severity }) => sum + hintWeights[severity], 0),
        )
      }
      const weight = (path: string) => (lightKinds.includes(files.get(path)?.kind ?? 'source') ? lightWeight : 1)
      const churn = await readChurn(open.scan.root, env)
      return rankChunks(chosen, { hits, churn, fanIn: await readFanIn(open, files, env), weight })
    },
  }
}
