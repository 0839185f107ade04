import { isPlainObject } from '@switchyard/ground/plain-object'
import type { ToolUse } from '@switchyard/guard/tool-use'
import { type Fields, fieldsOf, textIn, textsIn } from './host-fields.ts'

/** Tools of a host by what they do. */
export type ToolNames = {
  readonly shells: readonly string[]
  readonly writers: readonly string[]
  readonly patchers?: readonly string[]
}

/** Fields of a tool's input by which hosts name a file. */
const pathFields = 'file_path notebook_path filePath path file relative_path absolute_path destination target'.split(
  ' ',
)
/** By its name, a tool that writes and is none of the host's own: of an MCP server, however the host calls it. */
export const writing =
  'write|edit|create|move|rename|delete|remove|append|insert|replace|patch|update|save|copy|(?<![a-z])put'
/** Fields that name the folder a call works in. */
const folderFields = ['workdir', 'dir_path', 'directory', 'cwd']
/** Fields that hold a patch; one host sends it where the command of a shell is. */
const patchFields = ['command', 'cmd', 'input', 'patchText', 'patch']

/** The tool of `tool_name` and `tool_input`, as Claude Code, Codex and Gemini CLI tell of it. */
export function toolUse(fields: Fields, names: ToolNames): ToolUse {
  return toolOf(textIn(fields, 'tool_name'), fields['tool_input'], names)
}

/** The tool of that name, and what it is given: anything at all. */
export function toolOf(
  name: string | undefined,
  given: unknown,
  { shells, writers, patchers = [] }: ToolNames,
): ToolUse {
  if (name === undefined) return { ...other(''), unread: 'the host names no tool' }
  const input = fieldsOf(given)
  const place = folderFields.flatMap((field) => textIn(input, field) ?? [])[0]
  if (given !== undefined && !isPlainObject(given))
    return { ...other(name), unread: `what ${name} is given is no object` }
  if (shells.includes(name)) {
    const command = commandIn(input)
    const unread = command === undefined ? `what ${name} is given has no command` : undefined
    return { name, kind: 'shell', command, paths: [], unread, folder: place }
  }
  if (patchers.includes(name)) {
    const patch = patchFields.flatMap((field) => textIn(input, field) ?? [])[0] ?? ''
    return { name, kind: 'write', command: undefined, paths: pathsOfPatch(patch), folder: place }
  }
  if (!writers.includes(name) && !RegExp(writing, 'i').test(name)) return other(name)
  // What is moved away is gone from its place.
  const fields = /move|rename/i.test(name) ? [...pathFields, 'source'] : pathFields
  const paths = [...fields.flatMap((field) => textIn(input, field) ?? []), ...textsIn(input, 'paths')]
  const isWrite = writers.includes(name) || paths.length > 0
  return isWrite ? { name, kind: 'write', command: undefined, paths, folder: place } : other(name)
}

const other = (name: string): ToolUse => ({ name, kind: 'other', command: undefined, paths: [] })

/** A command is a line of shell, or the words of one. */
function commandIn(input: Fields): string | undefined {
  const words = input['command']
  if (Array.isArray(words)) return words.map((word) => `'${String(word).replaceAll("'", "'\\''")}'`).join(' ')
  return textIn(input, 'command') ?? textIn(input, 'cmd')
}

/** The files that a patch names, in the format of Codex: `*** Update File: a.txt`. */
function pathsOfPatch(patch: string): string[] {
  const found = patch.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\r?$/gm)
  return [...found].flatMap(([, path]) => path ?? [])
}
