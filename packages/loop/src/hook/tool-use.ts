import type { ToolUse } from './host-event.ts'
import { type Fields, fieldsOf, textIn } from './host-fields.ts'

/** Tools of a host by what they do. `writers` are named with the fields of their input that hold a path. */
export type ToolNames = {
  readonly shells: readonly string[]
  readonly writers: Readonly<Record<string, readonly string[]>>
}

/** The tool of `tool_name` and `tool_input`, as Claude Code, Codex and Gemini CLI tell of it. */
export function toolUse(fields: Fields, { shells, writers }: ToolNames): ToolUse {
  const name = textIn(fields, 'tool_name') ?? ''
  const input = fieldsOf(fields['tool_input'])
  if (shells.includes(name)) return { name, kind: 'shell', command: commandIn(input), paths: [] }
  const pathFields = Object.hasOwn(writers, name) ? writers[name] : undefined
  if (pathFields === undefined) return { name, kind: 'other', command: undefined, paths: [] }
  const paths = pathFields.flatMap((field) => textIn(input, field) ?? [])
  return { name, kind: 'write', command: undefined, paths }
}

/** A command is a line of shell, or the words of one. */
export function commandIn(input: Fields): string | undefined {
  const words = input['command']
  if (Array.isArray(words)) return words.map((word) => `'${String(word).replaceAll("'", "'\\''")}'`).join(' ')
  return textIn(input, 'command') ?? textIn(input, 'cmd')
}

/** The files that a patch names, in the format of Codex: `*** Update File: a.txt`. */
export function pathsOfPatch(patch: string): string[] {
  const found = patch.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\r?$/gm)
  return [...found].flatMap(([, path]) => path ?? [])
}
