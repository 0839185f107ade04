// Comments by which other tools are told to be silent. Each rule names what those tools call its defect (`known`).
import type { Rule } from '../rule/rule.ts'
import type { Comment, Request } from './comment.ts'

const everyLine = Number.MAX_SAFE_INTEGER

/** The requests of eslint, oxlint, biome, flake8, ruff, bandit, pylint, golangci-lint, semgrep and shellcheck. */
export function readForeign(comments: readonly Comment[], text: string): readonly Request[] {
  let ends: readonly number[] | undefined
  const endOfBlock = (line: number) => {
    ends ??= blockEnds(text)
    return ends[line - 1] ?? everyLine
  }
  const requests = comments.flatMap((comment) => readOne(comment, endOfBlock))
  return [...requests, ...readBlocks(comments)]
}

/** The last line of the block that a line which stands alone belongs to. */
type EndOfBlock = (line: number) => number

function readOne(comment: Comment, endOfBlock: EndOfBlock): readonly Request[] {
  const { line, last, isAlone } = comment
  const nextLine = /(?:eslint|oxlint)-disable-next-line\b([\s\S]*)/.exec(comment.text)
  if (nextLine) return onLines(last + 1, last + 1, nextLine[1])
  const ownLine = /(?:eslint|oxlint)-disable-line\b([\s\S]*)/.exec(comment.text)
  if (ownLine) return onLines(line, line, ownLine[1])
  const biome = /biome-ignore(-all)?\s+lint\/([\w/]+)/.exec(comment.text)
  if (biome) return biome[1] ? onLines(1, everyLine, biome[2]) : onLines(line, last + 1, biome[2])
  const wholeFile = /^#\s*(?:flake8|ruff):\s*noqa(?::\s*([\w, ]+))?/i.exec(comment.text)
  if (wholeFile) return onLines(1, everyLine, wholeFile[1])
  const noqa = /#\s*noqa(?![\w-])(?::\s*([\w, ]+))?/i.exec(comment.text)
  if (noqa) return onLines(line, line, noqa[1])
  const nosec = /#\s*nosec\b[:\s]*((?:B\d+|[a-z_]+_[a-z_]+)(?:[,\s]+(?:B\d+|[a-z_]+_[a-z_]+))*)?/.exec(comment.text)
  if (nosec) return onLines(line, line, nosec[1])
  const nolint = /\/\/\s*nolint(?::([\w,]+))?/.exec(comment.text)
  if (nolint) return onLines(line, isAlone ? last + 1 : line, nolint[1])
  const semgrep = /nosemgrep(?::\s*([\w.,\s-]+))?/.exec(comment.text)
  if (semgrep) return onLines(line, last + 1, semgrep[1])
  const shell = /shellcheck disable=([\w,]+)/.exec(comment.text)
  if (shell) return onLines(line, line <= 2 ? everyLine : last + 1, shell[1])
  return readPylint(comment, endOfBlock)
}

/** Behind code it holds for the line; alone, for the rest of the block that it stands in. */
function readPylint(comment: Comment, endOfBlock: EndOfBlock): readonly Request[] {
  const pylint = /pylint:\s*disable(-next)?\s*=\s*([\w, -]+)/.exec(comment.text)
  if (pylint === null) return []
  if (pylint[1]) return onLines(comment.last + 1, comment.last + 1, pylint[2])
  if (!comment.isAlone) return onLines(comment.line, comment.line, pylint[2])
  return onLines(comment.line, endOfBlock(comment.line), pylint[2])
}

/** For each line the last one before a line that is indented less, in one pass however many lines there are. */
function blockEnds(text: string): readonly number[] {
  const lines = text.split('\n')
  const ends = lines.map(() => everyLine)
  const open: { index: number; indent: number }[] = []
  for (const [index, line] of lines.entries()) {
    const indent = line.search(/\S/)
    if (indent === -1) continue
    for (let last = open.at(-1); last !== undefined && indent < last.indent; last = open.at(-1)) {
      ends[last.index] = index
      open.pop()
    }
    open.push({ index, indent })
  }
  return ends
}

/** `eslint-disable` and `eslint-enable` around lines; without an end they hold to the end of the file. */
function readBlocks(comments: readonly Comment[]): readonly Request[] {
  let end = everyLine
  return comments.toReversed().flatMap((comment) => {
    const start = /(?:eslint|oxlint)-disable(?!-)\b([\s\S]*)/.exec(comment.text)
    const requests = start === null ? [] : onLines(comment.line, end, start[1])
    if (/(?:eslint|oxlint)-enable\b/.test(comment.text)) end = comment.line
    return requests
  })
}

/** Names that are given count where a rule is known by one of them; none given stands for all rules. */
function onLines(from: number, to: number, list = ''): readonly Request[] {
  const reasonless = list.split(/\s--\s|\*\//)[0] ?? ''
  const names = reasonless
    .split(/[,\s]+/)
    .map((name) => name.split('/').at(-1) ?? name)
    .filter((name) => /^[\w.-]+$/.test(name))
  const covers = ({ known = [] }: Rule) => names.length === 0 || known.some((name) => names.includes(name))
  return [{ from, to, covers }]
}
