import { realpathSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { relative, resolve } from 'node:path'
import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { gatherSymbols, type Lost, type SourceSymbols } from '../explore/gather-symbols.ts'
import { rankNames } from '../explore/rank-symbols.ts'
import { sourceFiles } from '../explore/source-files.ts'
import { renderSymbolMap, withinBudget } from '../explore/symbol-map.ts'
import type { CodeSymbol } from '../explore/symbol-schema.ts'
import { openParserPool } from '../syntax/parser-process.ts'
import { rootOfPath } from '../walk/walk-files.ts'

const parseDeadlineMs = 60_000

/** `deepscan symbols [PATH...]`: the definitions that matter most, in so many tokens. */
export const symbols = defineVerb({
  summary: 'Map a tree: what other files refer to most, in a budget of tokens',
  args: [{ name: 'path', summary: 'Files and folders to map (the working folder)', optional: true, rest: true }],
  flags: {
    tokens: {
      type: 'integer',
      value: 'N',
      min: 16,
      max: 10_000_000,
      default: 1_024,
      summary: 'How long the map may be',
    },
    focus: { type: 'list', value: 'FILE', summary: 'What matters to who reads this file' },
    compress: { type: 'boolean', summary: 'All definitions, file by file, whatever their rank' },
  },
  examples: [
    'deepscan symbols',
    'deepscan symbols src --tokens 2000 --focus src/cli.ts',
    'deepscan symbols --compress',
  ],
  async run({ args, flags, cwd, env, output }) {
    const paths = args.path.length > 0 ? args.path : ['.']
    const origin = { cwd, home: env.HOME }
    const focus = new Set(flags.focus.map((path) => focusPath(path, origin)))
    const lost: Lost[] = []
    const files = await gatherAll(sourceFiles(paths, origin), env, lost)
    for (const path of focus) {
      if (files.every((file) => file.path !== path)) throw unmapped(path, paths)
    }
    const all = flags.compress ? symbolsOf(files, []) : ranked(files, focus)
    const shown = flags.compress ? all : withinBudget(all, flags.tokens)
    if (output.mode === 'text') output.raw(shown.length === 0 ? '' : `${renderSymbolMap(shown)}\n`)
    else output.list(shown, { text: () => '', id: ({ path, line }) => `${path}:${line}` })
    for (const { path, reason } of lost) output.note(`${path} has no symbols: ${reason}`)
    output.note(`${shown.length} of ${all.length} symbols in ${files.length} file${files.length === 1 ? '' : 's'}`)
  },
})

function focusPath(path: string, origin: { cwd: string; home: string | undefined }): string {
  return relative(rootOfPath(path, origin), realpathSync(resolve(origin.cwd, path)))
}

function unmapped(path: string, paths: readonly string[]): Failure {
  const hint = 'name a source file below the paths that are mapped'
  return new Failure('notFound', `${path} is no source file below ${paths.join(' ')}`, { hint })
}

async function gatherAll(
  sources: Parameters<typeof gatherSymbols>[0],
  env: Readonly<Record<string, string | undefined>>,
  lost: Lost[],
): Promise<readonly SourceSymbols[]> {
  const parser = openParserPool({ env, processes: Math.min(availableParallelism(), 4), deadlineMs: parseDeadlineMs })
  try {
    const files: SourceSymbols[] = []
    for await (const file of gatherSymbols(sources, { parser, lose: (each) => lost.push(each) })) files.push(file)
    return files
  } finally {
    parser.end()
  }
}

/** By rank, those that nobody refers to last; equal ones by their place. What is in focus is known and left out. */
function ranked(files: readonly SourceSymbols[], focus: ReadonlySet<string>): readonly CodeSymbol[] {
  const mapped = files.map(({ path, definitions, says, imports }) => {
    const shared = definitions.flatMap(({ name, isShared }) => (isShared ? [name] : []))
    return { path, defines: new Set(shared), says, imports }
  })
  return symbolsOf(files, rankNames(mapped, focus))
    .filter(({ path }) => !focus.has(path))
    .sort((a, b) => b.rank - a.rank || compare(a.path, b.path) || a.line - b.line)
}

function symbolsOf(
  files: readonly SourceSymbols[],
  ranks: readonly ReadonlyMap<string, number>[],
): readonly CodeSymbol[] {
  return files.flatMap(({ path, language, definitions }, at) =>
    definitions.map(({ name, kind, line, end_line, depth, signature }) => {
      const rank = Number((ranks[at]?.get(name) ?? 0).toPrecision(6))
      return {
        v: 1 as const,
        type: 'symbol' as const,
        name,
        kind,
        path,
        line,
        end_line,
        depth,
        signature,
        rank,
        language,
      }
    }),
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
