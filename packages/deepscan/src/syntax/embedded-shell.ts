import { type EmbeddedScript, type PlacedPiece, placedText } from './placed-text.ts'

type Line = { text: string; at: number }

function linesOf(text: string): Line[] {
  return [...text.matchAll(/[^\n]*\n|[^\n]+$/g)].map(({ 0: line, index }) => ({ text: line, at: index }))
}

/** A step's `run:`, with the words before it (`- run:`), and what follows on its line. */
const runKey = /^([ \t]*(?:- +)*)(["']?)run\2:[ \t]*(?:([|>])[-+0-9]*[ \t]*(?:#.*)?\r?\n?$|(\S.*))?/

/** The steps of a workflow that a shell runs, but for those that name another shell than Bash. */
export function workflowRuns(text: string): EmbeddedScript[] {
  const lines = linesOf(text)
  return lines.flatMap((line, at) => {
    const [, before = '', , block, plain] = runKey.exec(line.text) ?? []
    if (block === undefined && plain === undefined) return []
    if (!isBash(lines, at, before.length)) return []
    const body = block === undefined ? plainValue(line, plain ?? '') : blockLines(lines, at + 1, before.length)
    const pieces = body.map((piece) => ({ ...piece, text: withoutExpressions(piece.text) }))
    return pieces.length === 0 ? [] : [{ language: 'bash' as const, ...placedText(pieces) }]
  })
}

/** The lines below a block's key, without their indentation. */
function blockLines(lines: readonly Line[], from: number, indent: number): PlacedPiece[] {
  const body: Line[] = []
  for (const line of lines.slice(from)) {
    if (line.text.trim() !== '' && indentOf(line) <= indent) break
    body.push(line)
  }
  const margin = Math.min(...body.filter(({ text }) => text.trim() !== '').map(indentOf))
  return body.map(({ text, at }) => {
    const cut = Math.min(margin, indentOf({ text, at }))
    return { text: text.slice(cut), at: at + cut }
  })
}

function plainValue({ text, at }: Line, plain: string): PlacedPiece[] {
  const value = plain.trimEnd()
  const start = at + text.lastIndexOf(plain)
  const quote = value[0] === value.at(-1) && value.length > 1 && /["']/.test(value[0] ?? '') ? 1 : 0
  return [{ text: value.slice(quote, value.length - quote), at: start + quote }]
}

/** Whether no `shell:` of the step names another program. The keys of a step have one indentation. */
function isBash(lines: readonly Line[], at: number, indent: number): boolean {
  const isOfStep = (line: Line) => line.text.trim() === '' || keyIndent(line) >= indent
  const upTo = (from: number, step: 1 | -1) => {
    const found: Line[] = []
    for (let next = from; next >= 0 && next < lines.length; next += step) {
      const line = lines[next]
      if (line === undefined || !isOfStep(line) || (step > 0 && isNewItem(line, indent))) break
      found.push(line)
      if (step < 0 && isNewItem(line, indent)) break
    }
    return found
  }
  const isFirst = lines[at] !== undefined && isNewItem(lines[at], indent)
  const step = [...(isFirst ? [] : upTo(at - 1, -1)), ...upTo(at + 1, 1)]
  const shell = step
    .flatMap((line) => (keyIndent(line) === indent ? [/\bshell:\s*["']?(\w+)/.exec(line.text)?.[1]] : []))
    .find(Boolean)
  return shell === undefined || shell === 'bash' || shell === 'sh'
}

function keyIndent({ text }: Line): number {
  return /^[ \t]*(?:- +)*/.exec(text)?.[0].length ?? 0
}

function isNewItem(line: Line, indent: number): boolean {
  return keyIndent(line) === indent && /^[ \t]*-/.test(line.text)
}

function indentOf({ text }: Line): number {
  return /^[ \t]*/.exec(text)?.[0].length ?? 0
}

/** `${{ … }}` as a variable of the same length, which Bash can read. */
function withoutExpressions(text: string): string {
  return text.replace(/\$\{\{[^\n]*?\}\}/g, (expression) => `\${${'_'.repeat(expression.length - 3)}}`)
}

/** The commands of RUN in a Dockerfile, with their continued lines; not those given as a list of words. */
export function dockerfileRuns(text: string): EmbeddedScript[] {
  const lines = linesOf(text)
  const scripts: EmbeddedScript[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? { text: '', at: 0 }
    const start = /^[ \t]*(?:ONBUILD[ \t]+)?RUN[ \t]+(?:--\S+[ \t]+)*(?=\S)/i.exec(line.text)?.[0].length
    if (start === undefined) continue
    const pieces: PlacedPiece[] = [{ text: line.text.slice(start), at: line.at + start }]
    const heredoc = /^<<-?["']?(\w+)["']?\s*$/.exec(line.text.slice(start))?.[1]
    if (heredoc !== undefined) pieces.pop()
    while (
      heredoc !== undefined
        ? at + 1 < lines.length && lines[at + 1]?.text.trim() !== heredoc
        : isContinued(lines[at], pieces.length > 1)
    ) {
      at++
      const next = lines[at]
      if (next === undefined) break
      pieces.push({ text: heredoc === undefined ? withoutComment(next.text) : next.text, at: next.at })
    }
    const script = placedText(pieces)
    if (!script.text.startsWith('[') && script.text.trim() !== '') scripts.push({ language: 'bash', ...script })
  }
  return scripts
}

/** Whether the command goes on below: the line ends in a backslash, or is a comment or empty between such lines. */
function isContinued(line: Line | undefined, isInside: boolean): boolean {
  if (line === undefined) return false
  return /\\[ \t]*\r?\n?$/.test(line.text) || (isInside && /^\s*(?:#.*)?\r?\n$/.test(line.text))
}

/** A comment between continued lines, which Docker takes out, as blanks: a line end would end the command. */
function withoutComment(text: string): string {
  return /^\s*(?:#.*)?\r?\n$/.test(text) ? ' '.repeat(text.length) : text
}
