// What an agent does when it uses a tool, for people who watch: which file it reads, what it looks for.
import { basename } from '@switchyard/ground/machine'
import type { ToolUse } from '@switchyard/guard/tool-use'
import type { Host } from './host.ts'
import { type Fields, fieldsOf, textIn } from './host-fields.ts'

/** `what` is as the agent gave it: it may be long, have several lines, and hold anything. */
export type Deed = {
  readonly do: 'read' | 'edit' | 'run' | 'search' | 'find' | 'spawn' | 'ask' | 'use'
  readonly what: string
}

/** Tools of all hosts that neither run nor write, by what they do. No two hosts call different things alike. */
const tools: Readonly<Record<'read' | 'search' | 'find' | 'spawn' | 'ask', readonly string[]>> = {
  read: ['Read', 'NotebookRead', 'LS', 'read_file', 'read_many_files', 'list_directory', 'view_image', 'read', 'list'],
  search: ['Grep', 'WebSearch', 'grep_search', 'search_file_content', 'google_web_search', 'grep', 'web_search'],
  find: ['Glob', 'glob'],
  spawn: ['Task', 'Agent', 'task', 'spawn_agent'],
  ask: ['AskUserQuestion', 'ask_user', 'question', 'request_user_input'],
}
const kinds = Object.entries(tools)

const fileFields = ['file_path', 'notebook_path', 'filePath', 'absolute_path', 'dir_path', 'path']
const wordFields = ['pattern', 'query']

/** The deed of a tool that a host has sent with these fields. */
export function toolDeed({ name, kind, command, paths }: ToolUse, host: Host, fields: Fields): Deed {
  const input = fieldsOf(fields[host === 'opencode' ? 'args' : 'tool_input'])
  const first = (names: readonly string[]) => names.flatMap((field) => textIn(input, field) ?? [])[0] ?? ''
  if (kind === 'shell') return { do: 'run', what: command ?? '' }
  if (kind === 'write') return { do: 'edit', what: basename(paths[0] ?? '') }
  const found = kinds.find(([, names]) => names.includes(name))?.[0]
  switch (found) {
    case 'read':
      return { do: 'read', what: basename(first(fileFields)) }
    case 'search':
    case 'find':
      return { do: found, what: first(wordFields) }
    case 'spawn':
      return { do: 'spawn', what: first(['description']) }
    case 'ask':
      return { do: 'ask', what: first(['question', 'prompt']) || questionIn(input) }
    default:
      return { do: 'use', what: name }
  }
}

/** The first of several questions. */
function questionIn(input: Fields): string {
  const { questions } = input
  return Array.isArray(questions) ? (textIn(fieldsOf(questions[0]), 'question') ?? '') : ''
}
