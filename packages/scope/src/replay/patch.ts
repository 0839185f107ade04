// A patch as Codex writes it: files to add, to delete, and to update by hunks that name no lines.
import type { FileEdit } from './edit.ts'

/** The edits of a patch, in its order; what is no patch has none. */
export function patchIn(text: string): FileEdit[] {
  const edits: FileEdit[] = []
  let at = ''
  let hunk: string[] = []
  let added: string[] | undefined
  const endHunk = () => {
    if (hunk.length > 0) edits.push(hunkOf(at, hunk))
    hunk = []
  }
  const endFile = () => {
    endHunk()
    if (added !== undefined) edits.push({ path: at, is: 'write', text: added.map((line) => `${line}\n`).join('') })
    added = undefined
  }
  for (const line of text.split('\n')) {
    const [, word, path = ''] = /^\*\*\* (Add|Update|Delete) File: (.+)$/.exec(line) ?? []
    if (word !== undefined) {
      endFile()
      at = path
      if (word === 'Add') added = []
      if (word === 'Delete') edits.push({ path, is: 'delete' })
    } else if (line.startsWith('*** ')) endHunk()
    else if (added !== undefined) added.push(line.replace(/^\+/, ''))
    else if (line.startsWith('@@')) endHunk()
    else if (at !== '' && /^[ +-]/.test(line)) hunk.push(line)
  }
  endFile()
  return edits
}

function hunkOf(path: string, hunk: readonly string[]): FileEdit {
  const side = (left: string) =>
    hunk
      .filter((line) => line.startsWith(' ') || line.startsWith(left))
      .map((line) => line.slice(1))
      .join('\n')
  return { path, is: 'replace', from: side('-'), to: side('+'), all: false }
}
