// Task lists of Markdown: `- [ ] title #tag`, closed where there is an x. What stands indented below a task is its
// body, a task indented below it is its child, and the headings above it are its section.
import { createHash } from 'node:crypto'
import type { Faults } from '../text/faults.ts'
import { type ForeignIssue, type ForeignLink, titleLine } from './foreign-issue.ts'

const taskPattern = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+\[([ xX])\](?:[ \t]+(.*))?$/
const headingPattern = /^ {0,3}(#{1,6})[ \t](.*)$/
const fencePattern = /^[ \t]*(`{3,}|~{3,})/
const idPattern = /(?:^|\s)<!-- ([a-z0-9][a-z0-9-]*-[0-9a-z]+) -->\s*$/
const wordPattern = /(^|\s)(?:#(\p{L}[\p{L}\p{N}_/.:-]*)|\(P([1-5])\))(?=\s|$)/gu
const escapedPattern = /\\([!-/:-@[-`{-~])/g
/** What a backslash keeps from being a task of its own in the text below another. */
const escapedTaskPattern = /^([ \t]*)\\((?:[-*+]|\d{1,9}[.)])[ \t]+\[[ xX]\])/
const priorityMissing = 2
const tabWidth = 4

/** Whether a line is a task. */
export function isTask(line: string): boolean {
  return taskPattern.test(line)
}

type Task = {
  readonly indent: number
  readonly isDone: boolean
  readonly text: string
  readonly section: string
  readonly parent: Task | undefined
  readonly body: string[]
  readonly path: string
}

/** The tasks of a text as issues. Text outside of tasks is passed over. */
export function parseMarkdown(lines: readonly string[], faults: Faults) {
  const issues: ForeignIssue[] = []
  const links: ForeignLink[] = []
  const keys = new Map<Task, string>()
  const counts = new Map<string, number>()
  for (const { task, line } of tasksIn(lines)) {
    const issue = issueOf(task, counts)
    if (issue.title === '') faults.add(`line ${line} is a task without a title`)
    issues.push(issue)
    keys.set(task, issue.key)
    const parent = task.parent === undefined ? undefined : keys.get(task.parent)
    if (parent !== undefined) links.push({ kind: 'parent', from: parent, to: issue.key })
  }
  return { issues, links }
}

function tasksIn(lines: readonly string[]): { task: Task; line: number }[] {
  const tasks: { task: Task; line: number }[] = []
  const headings: string[] = []
  let open: Task | undefined
  let fence: { mark: string; indent: number } | undefined
  lines.forEach((line, index) => {
    const text = line.replace(/\r$/, '')
    const indent = widthOf(text)
    const isBlank = text.trim() === ''
    if (fence && !isBlank && indent < fence.indent) fence = undefined
    const [, mark] = fencePattern.exec(text) ?? []
    const task = fence ? undefined : taskOf(text, open, headings.filter((heading) => heading !== undefined).join(' / '))
    if (task) {
      tasks.push({ task, line: index + 1 })
      open = task
      return
    }
    const heading = fence ? null : headingPattern.exec(text)
    if (!isBlank && open && indent <= open.indent) open = ownerOf(open, indent)
    if (heading && !open) {
      headings.length = (heading[1]?.length ?? 1) - 1
      headings[(heading[1]?.length ?? 1) - 1] = titleLine(heading[2] ?? '').replace(/ #+$/, '')
    }
    if (mark !== undefined) fence = fence ? closedBy(fence, text, mark) : { mark, indent: open ? open.indent + 1 : 0 }
    if (open) open.body.push(text)
  })
  return tasks
}

function taskOf(line: string, open: Task | undefined, section: string): Task | undefined {
  const [, space = '', box = ' ', text = ''] = taskPattern.exec(line) ?? []
  if (!taskPattern.test(line)) return undefined
  const indent = widthOf(space)
  const parent = open && ownerOf(open, indent)
  const path = `${parent ? parent.path : section}\n${titleLine(text)}`
  return { indent, isDone: box !== ' ', text, section: parent ? parent.section : section, parent, body: [], path }
}

/** The task, or the nearest one above it, that text of this indent belongs to. */
function ownerOf(task: Task, indent: number): Task | undefined {
  let owner: Task | undefined = task
  while (owner && owner.indent >= indent) owner = owner.parent
  return owner
}

function closedBy(fence: { mark: string; indent: number }, text: string, mark: string) {
  const isClosing = mark.startsWith(fence.mark) && text.trim() === mark
  return isClosing ? undefined : fence
}

function issueOf(task: Task, counts: Map<string, number>): ForeignIssue {
  const id = idPattern.exec(task.text)?.[1]
  const tags: string[] = []
  let priority = priorityMissing
  const words = task.text
    .replace(idPattern, '')
    .replace(wordPattern, (_found, before: string, tag?: string, level?: string) => {
      if (tag !== undefined) tags.push(tag)
      if (level !== undefined) priority = Number(level)
      return before
    })
  const status = task.isDone ? 'closed' : 'open'
  return {
    key: id === undefined ? `markdown:${nameOf(task.path, counts)}` : `markdown:${id}`,
    name: id ?? '',
    title: titleLine(words.replace(escapedPattern, '$1')),
    body: bodyOf(task.body),
    priority,
    tags,
    status,
    sourceStatus: status,
    refs: [],
    meta: task.section === '' ? {} : { section: task.section },
    comments: [],
  }
}

/** A task goes by its title, those of the tasks and headings that it is under, and its number among equals. */
function nameOf(path: string, counts: Map<string, number>): string {
  const count = (counts.get(path) ?? 0) + 1
  counts.set(path, count)
  return createHash('sha256').update(`${count} ${path}`).digest('hex').slice(0, 20)
}

/** The lines without the indent that they share, and without blank ones around them. */
function bodyOf(lines: readonly string[]): string {
  const filled = lines.filter((line) => line.trim() !== '')
  const shared = filled.reduce((least, line) => Math.min(least, line.length - line.trimStart().length), Infinity)
  const own = lines.map((line) => line.slice(Math.min(shared, line.length)).replace(escapedTaskPattern, '$1$2'))
  while (own.length > 0 && own[0]?.trim() === '') own.shift()
  while (own.length > 0 && own.at(-1)?.trim() === '') own.pop()
  return own.join('\n')
}

function widthOf(line: string): number {
  let width = 0
  for (const character of line) {
    if (character === '\t') width += tabWidth - (width % tabWidth)
    else if (character === ' ') width += 1
    else break
  }
  return width
}
