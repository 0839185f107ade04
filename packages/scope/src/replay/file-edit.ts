// Edits of files as transcripts have them whole: by the tools of Claude Code and Codex that write files.
import { parseJson } from '@switchyard/ground/parse-json'
import type { FileEdit } from './edit.ts'
import { patchIn } from './patch.ts'
import { type Edited, edited, editedOften, patched, patchedByShell, written } from './tool-schema.ts'

type Change = Omit<Edited, 'file_path'>

/** The edits that a use of a tool makes, by its name and what it was given as JSON; none where it makes none. */
export function editsIn(tool: string, given: string): FileEdit[] {
  const input = parseJson(given)
  switch (tool) {
    case 'Write': {
      const { data } = written.safeParse(input)
      return data === undefined ? [] : [{ path: data.file_path, is: 'write', text: data.content }]
    }
    case 'Edit': {
      const { data } = edited.safeParse(input)
      return data === undefined ? [] : [replaced(data.file_path, data)]
    }
    case 'MultiEdit': {
      const { data } = editedOften.safeParse(input)
      return data === undefined ? [] : data.edits.map((one) => replaced(data.file_path, one))
    }
    case 'apply_patch':
      return patchIn(patched.safeParse(input).data?.input ?? '')
    default:
      return patchIn(patchedByShell.safeParse(input).data?.command[1] ?? '')
  }
}

/** An edit of nothing makes a file. */
const replaced = (path: string, { old_string, new_string, replace_all = false }: Change): FileEdit =>
  old_string === ''
    ? { path, is: 'write', text: new_string }
    : { path, is: 'replace', from: old_string, to: new_string, all: replace_all }
