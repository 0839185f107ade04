import { estimateTokens } from '../tokens/estimate-tokens.ts'
import type { CodeSymbol } from './symbol-schema.ts'

/** The first of the symbols whose map is at most so many tokens. */
export function withinBudget(symbols: readonly CodeSymbol[], tokens: number): readonly CodeSymbol[] {
  let [enough, tooMany] = [0, symbols.length + 1]
  while (tooMany - enough > 1) {
    const middle = Math.floor((enough + tooMany) / 2)
    if (estimateTokens(renderSymbolMap(symbols.slice(0, middle))) <= tokens) enough = middle
    else tooMany = middle
  }
  return symbols.slice(0, enough)
}

/** Symbols by file, in the order in which the files first come; in a file by their lines. */
export function renderSymbolMap(symbols: readonly CodeSymbol[]): string {
  const files = new Map<string, CodeSymbol[]>()
  for (const symbol of symbols) {
    const known = files.get(symbol.path)
    if (known === undefined) files.set(symbol.path, [symbol])
    else known.push(symbol)
  }
  return [...files]
    .map(([path, found]) => [path, ...found.sort((a, b) => a.line - b.line).map(renderSymbol)].join('\n'))
    .join('\n')
}

function renderSymbol({ line, depth, signature }: CodeSymbol): string {
  return `${String(line).padStart(6)}  ${'  '.repeat(depth)}${signature}`
}
