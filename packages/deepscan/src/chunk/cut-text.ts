import type { Node } from '../syntax/parser.ts'
import { measureTokens } from '../tokens/estimate-tokens.ts'
import type { Block } from './block.ts'
import { importsOf } from './imports.ts'
import { jsonBlock } from './json-blocks.ts'
import { layoutBlock, linesBlock } from './layout-blocks.ts'
import { markdownBlock } from './markdown-blocks.ts'
import { type Piece, type ShareOf, splitBlock } from './split.ts'
import { treeBlock } from './tree-blocks.ts'

/** What a chunk may hold: so many UTF-16 units or estimated tokens. */
export type Limit = { unit: 'characters' | 'tokens'; size: number }

export type CutText = {
  pieces: readonly Piece[]
  /** The imports at the top of the file, which every piece but the first is shown. */
  imports: string
}

/** A long line is cut into slices of so many units at most, which then are put together. */
const sliceUnitsMax = 1_000

/** How much of a chunk a stretch of the text fills. */
export function sharesOf(text: string, { unit, size }: Limit): ShareOf {
  if (unit === 'characters') return (start, end) => (end - start) / size
  return (start, end) => measureTokens(text.slice(start, end)) / size
}

/** Cuts a text between the nodes of its tree; by headings, members or layout where there is no tree. */
export function cutText(text: string, how: { language: string | null; root: Node | undefined; limit: Limit }): CutText {
  const slice = sliceUnits(how.limit)
  const block = how.root === undefined ? blockWithoutTree(text, how.language, slice) : treeBlock(how.root, text, slice)
  const imports = how.root === undefined ? '' : importsOf(how.root)
  return { pieces: splitBlock(block, sharesOf(text, how.limit)), imports }
}

/** Cuts a text between lines. */
export function cutLines(text: string, limit: Limit): CutText {
  return { pieces: splitBlock(linesBlock(text, 0, text.length, sliceUnits(limit)), sharesOf(text, limit)), imports: '' }
}

function blockWithoutTree(text: string, language: string | null, slice: number): Block {
  if (language === 'markdown') return markdownBlock(text, slice)
  if (language === 'json' || language === 'notebook') return jsonBlock(text, 0, text.length, slice)
  return layoutBlock(text, 0, text.length, slice)
}

function sliceUnits({ size }: Limit): number {
  return Math.max(Math.min(Math.floor(size / 8), sliceUnitsMax), 8)
}
