// Settings of other programs as text: changed in one place and kept as they are everywhere else, comments too.
import {
  applyEdits,
  createScanner,
  type FormattingOptions,
  findNodeAtLocation,
  format,
  type JSONPath,
  modify,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'

/** Names and places on the way to a value, from the outermost on. */
export type { JSONPath }

/** The value of a text that may have comments. Fails with a SyntaxError that says what is wrong first, and where. */
export function parseSettings(text: string): unknown {
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors)
  const [first] = errors
  if (first === undefined) return value
  const line = text.slice(0, first.offset).split('\n').length
  throw new SyntaxError(`${printParseErrorCode(first.error)} in line ${line}`)
}

/** The text with a value under a name that was not there, behind the other members; objects above it are made. */
export const withValue = (text: string, path: JSONPath, value: unknown) => inserted(text, path, value, false)

/** The text with a value behind the others of the list at a path. */
export const withElement = (text: string, path: JSONPath, value: unknown) => inserted(text, [...path, -1], value, true)

/** Only what is put in is laid out; the lines of others stay as they are. */
function inserted(text: string, path: JSONPath, value: unknown, isArrayInsertion: boolean): string {
  const edits = modify(text, path, value, { isArrayInsertion })
  const [edit] = edits
  const changed = applyEdits(text, edits)
  const layout = layoutOf(text)
  if (edit === undefined || layout === undefined) return changed
  const end = edit.offset + edit.content.length
  const range = { offset: edit.offset, length: edit.content.length + (/[\]}]/.test(changed[end] ?? '') ? 1 : 0) }
  return applyEdits(changed, format(changed, range, layout))
}

/** How the text is laid out already; undefined for one that is all on one line, and stays so. */
function layoutOf(text: string): FormattingOptions | undefined {
  const [, eol = '\n', step = '  '] = /(\r?\n)([ \t]+)"/.exec(text) ?? []
  const isOneLine = !text.trim().includes('\n') && text.replace(/\s/g, '') !== '{}'
  return isOneLine ? undefined : { eol, insertSpaces: !step.startsWith('\t'), tabSize: step.length }
}

/** The text without the member or element at a path, its comma and its line; comments around it stay. */
export function without(text: string, path: JSONPath): string {
  const root = parseTree(text)
  const value = root && findNodeAtLocation(root, path)
  const item = value?.parent?.type === 'property' ? value.parent : value
  const siblings = item?.parent?.children ?? []
  if (item === undefined) return text
  const [before, behind] = [siblings[siblings.indexOf(item) - 1], siblings[siblings.indexOf(item) + 1]]
  const end = item.offset + item.length
  const comma = behind ? commaFrom(text, end) : before && commaFrom(text, before.offset + before.length)
  const from = item.offset - (/\r?\n?[ \t]*$/.exec(text.slice(0, item.offset))?.[0].length ?? 0)
  const cuts = [{ offset: from, length: end - from, content: '' }]
  // On a line of its own nothing else is left; in a row the next one takes its place.
  const gap = behind && comma !== undefined && from === item.offset ? /^ */.exec(text.slice(comma + 1))?.[0].length : 0
  if (comma !== undefined) cuts.push({ offset: comma, length: 1 + (gap ?? 0), content: '' })
  return applyEdits(text, cuts)
}

function commaFrom(text: string, offset: number): number | undefined {
  const scanner = createScanner(text)
  scanner.setPosition(offset)
  do scanner.scan()
  while (scanner.getTokenLength() > 0 && text[scanner.getTokenOffset()] !== ',')
  return scanner.getTokenLength() > 0 ? scanner.getTokenOffset() : undefined
}

/** Whether the object or list at a path has nothing in it, not even a comment. */
export function isBare(text: string, path: JSONPath): boolean {
  const root = parseTree(text)
  const node = root && findNodeAtLocation(root, path)
  return node !== undefined && /^[[{]\s*[\]}]$/.test(text.slice(node.offset, node.offset + node.length))
}

/** A name that the object at a path has twice: which of the two counts, nobody knows. */
export function findTwice(text: string, path: JSONPath): string | undefined {
  const root = parseTree(text)
  const node = root && findNodeAtLocation(root, path)
  const names = (node?.children ?? []).map(({ children }) => String(children?.[0]?.value))
  return names.find((name, at) => names.indexOf(name) !== at)
}
