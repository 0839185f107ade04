import { availableParallelism } from 'node:os'
import { gatherSymbols, type Source } from '../explore/gather-symbols.ts'
import { type MappedFile, rankNames } from '../explore/rank-symbols.ts'
import type { OpenScan } from '../store/open-scan.ts'
import { readText } from '../store/read-text.ts'
import { contentOf, languageOf } from '../syntax/language.ts'
import { openParserPool } from '../syntax/parser-process.ts'
import type { Files } from './chunk-content.ts'

const parseDeadlineMs = 60_000
const processesMax = 4

/**
 * How much the other files of a scan hang on each file: 1 for one that is referred to as much as all are on average.
 * What cannot be parsed refers to nothing.
 */
export async function readFanIn(
  open: OpenScan,
  files: Files,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Map<string, number>> {
  const processes = Math.min(availableParallelism(), processesMax)
  const parser = openParserPool({ env, processes, deadlineMs: parseDeadlineMs })
  const mapped: MappedFile[] = []
  try {
    const found = gatherSymbols(sourcesOf(open, files), { parser, lose: () => undefined })
    for await (const { path, definitions, says, imports } of found) {
      const shared = definitions.flatMap(({ name, isShared }) => (isShared ? [name] : []))
      mapped.push({ path, defines: new Set(shared), says, imports })
    }
  } finally {
    parser.end()
  }
  const ranks = rankNames(mapped, new Set())
  const sumOf = (at: number) => [...(ranks[at]?.values() ?? [])].reduce((sum, rank) => sum + rank, 0)
  return new Map(mapped.map(({ path }, at) => [path, sumOf(at) * mapped.length]))
}

function* sourcesOf(open: OpenScan, files: Files): Generator<Source> {
  for (const entry of files.values()) {
    const language = entry.skip === null ? languageOf(entry.path) : undefined
    if (language === undefined || contentOf(language) !== 'code') continue
    yield { path: entry.path, language, text: readText(open, entry) }
  }
}
