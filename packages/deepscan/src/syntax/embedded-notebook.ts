import { parseJson } from '@switchyard/ground/parse-json'
import * as z from 'zod'
import type { Language } from './language.ts'
import { type EmbeddedScript, type PlacedPiece, placedText } from './placed-text.ts'

const cellSchema = z.object({ cell_type: z.string(), source: z.union([z.string(), z.array(z.string())]) })
const notebookSchema = z.object({
  cells: z.array(z.unknown()),
  metadata: z.object({ language_info: z.object({ name: z.string() }).optional() }).optional(),
})

const languages: ReadonlyMap<string, Language> = new Map(
  Object.entries({
    python: 'python',
    javascript: 'javascript',
    typescript: 'typescript',
    bash: 'bash',
    ruby: 'ruby',
    rust: 'rust',
    go: 'go',
    java: 'java',
  } as const),
)

/**
 * The code cells of a Jupyter notebook. Lines that call the notebook itself (`%matplotlib`, `!pip`) become comments; a
 * cell that begins with `%%bash` is Bash, one for another program is left out.
 */
export function notebookCells(text: string): EmbeddedScript[] {
  const notebook = notebookSchema.safeParse(parseJson(text))
  if (!notebook.success) return []
  const language = languages.get(notebook.data.metadata?.language_info?.name ?? 'python')
  const places = sourcePlaces(text)
  return notebook.data.cells.flatMap((value, at) => {
    const cell = cellSchema.safeParse(value)
    const strings = places[at]
    if (!cell.success || cell.data.cell_type !== 'code' || strings === undefined) return []
    return cellScript(
      strings.flatMap((place) => stringPieces(text, place)),
      language,
    )
  })
}

function cellScript(pieces: readonly PlacedPiece[], language: Language | undefined): EmbeddedScript[] {
  const whole = placedText(pieces)
  const magic = /^%%(\w+)/.exec(whole.text)?.[1]
  const own = magic === undefined || /^(?:time|timeit|capture|prun)$/.test(magic) ? language : magicLanguages.get(magic)
  if (own === undefined || whole.text.trim() === '') return []
  const calm = whole.text.replace(/^([ \t]*)[%!]/gm, '$1#')
  return [{ language: own, text: calm, offsetInFile: whole.offsetInFile }]
}

const magicLanguages: ReadonlyMap<string, Language> = new Map(
  Object.entries({
    bash: 'bash',
    sh: 'bash',
    javascript: 'javascript',
    js: 'javascript',
    ruby: 'ruby',
    python: 'python',
    python3: 'python',
  } as const),
)

type StringPlace = { start: number; end: number }

type Frame = { isArray: boolean; index: number; key: string; isKeyNext: boolean }

/** Where the strings of `source` stand, for each cell; the text is known to be a notebook. */
function sourcePlaces(text: string): StringPlace[][] {
  const cells: StringPlace[][] = []
  const frames: Frame[] = []
  for (const { 0: sign, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},:]/gs)) {
    const frame = frames.at(-1)
    if (sign === '[' || sign === '{') frames.push({ isArray: sign === '[', index: 0, key: '', isKeyNext: true })
    else if (sign === ']' || sign === '}') frames.pop()
    else if (frame === undefined) continue
    else if (sign === ',') {
      frame.index += 1
      frame.isKeyNext = true
    } else if (sign === ':') frame.isKeyNext = false
    else if (!frame.isArray && frame.isKeyNext) frame.key = String(parseJson(sign))
    else {
      const cell = cellOfSource(frames)
      if (cell === undefined) continue
      cells[cell] ??= []
      cells[cell].push({ start: index, end: index + sign.length })
    }
  }
  return cells
}

/** The number of the cell whose `source`, or a line of it, a value in these frames is. */
function cellOfSource([root, cells, cell, lines, deeper]: readonly Frame[]): number | undefined {
  const isSource = root?.key === 'cells' && cells?.isArray && cell?.key === 'source' && deeper === undefined
  return isSource && (lines === undefined || lines.isArray) ? cells.index : undefined
}

/** The content of a JSON string in pieces, none of which has an escape but as its only unit or pair. */
function stringPieces(text: string, { start, end }: StringPlace): PlacedPiece[] {
  const inner = text.slice(start + 1, end - 1)
  return [
    ...inner.matchAll(/[^\\]+|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\./gs),
  ].map(({ 0: piece, index }) => ({
    text: piece.startsWith('\\') ? String(parseJson(`"${piece}"`)) : piece,
    at: start + 1 + index,
  }))
}
