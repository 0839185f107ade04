// Issues as a task list of Markdown: children below their parents, sections as headings.
import type { ExportedIssue } from './exported.ts'

const sectionJoint = ' / '
const headingDepthMax = 6
const plainTag = /^\p{L}[\p{L}\p{N}_/.:-]*$/u
const taskStart = /^([ \t]*)((?:[-*+]|\d{1,9}[.)])[ \t]+\[[ xX]\])/
const priorityUnsaid = 2

/** The lines of these issues. Tags that cannot be written as `#tag` are left out. */
export function* markdownLines(issues: readonly ExportedIssue[]): Generator<string> {
  const { roots, childrenOf } = forestOf(issues)
  const sections = new Map<string, ExportedIssue[]>([['', []]])
  for (const root of roots) {
    const section = root.meta?.['section'] ?? ''
    const members = sections.get(section) ?? []
    members.push(root)
    sections.set(section, members)
  }
  let before: string[] = []
  for (const [section, members] of sections) {
    if (section !== '') {
      const path = section.split(sectionJoint)
      yield* headingLines(path, before)
      before = path
    }
    for (const member of members) yield* taskLines(member, childrenOf)
  }
}

/** Every issue once: below its parent, or as a root; of parents in a circle the first one is a root. */
function forestOf(issues: readonly ExportedIssue[]) {
  const children = new Map<string, ExportedIssue[]>()
  const orphans: ExportedIssue[] = []
  for (const issue of issues) {
    const parent = issue.deps.find(({ kind, to }) => kind === 'parent' && to === issue.id)?.from
    if (parent === undefined) orphans.push(issue)
    else {
      const list = children.get(parent) ?? []
      list.push(issue)
      children.set(parent, list)
    }
  }
  const placed = new Set<string>()
  const below = new Map<string, ExportedIssue[]>()
  const place = (root: ExportedIssue) => {
    placed.add(root.id)
    for (const open = [root]; open.length > 0; ) {
      const { id } = open.pop() ?? root
      const own = (children.get(id) ?? []).filter((child) => !placed.has(child.id))
      for (const child of own) placed.add(child.id)
      below.set(id, own)
      for (const child of own) open.push(child)
    }
    return root
  }
  const roots = [...orphans.map(place)]
  for (const issue of issues) if (!placed.has(issue.id)) roots.push(place(issue))
  return { roots, childrenOf: (id: string) => below.get(id) ?? [] }
}

function* headingLines(path: readonly string[], before: readonly string[]): Generator<string> {
  let shared = 0
  while (shared < path.length - 1 && path[shared] === before[shared]) shared += 1
  for (let depth = shared; depth < path.length; depth += 1) {
    yield ''
    yield `${'#'.repeat(Math.min(depth + 1, headingDepthMax))} ${path[depth]}`
  }
  yield ''
}

function* taskLines(root: ExportedIssue, childrenOf: (id: string) => readonly ExportedIssue[]): Generator<string> {
  const open = [{ issue: root, indent: '' }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { issue, indent } = next
    yield `${indent}- [${issue.closed_at === undefined ? ' ' : 'x'}] ${wordsOf(issue)}`
    if (issue.body.trim() !== '') for (const line of issue.body.split('\n')) yield bodyLine(line, `${indent}  `)
    for (const child of [...childrenOf(issue.id)].reverse()) open.push({ issue: child, indent: `${indent}  ` })
  }
}

function wordsOf({ id, title, priority, tags }: ExportedIssue): string {
  const escaped = title.replace(/[\\#<]/g, '\\$&').replace(/\(P[1-5]\)/g, '\\$&')
  const level = priority === priorityUnsaid ? [] : [`(P${priority})`]
  return [
    escaped,
    ...level,
    ...tags.filter((tag) => plainTag.test(tag)).map((tag) => `#${tag}`),
    `<!-- ${id} -->`,
  ].join(' ')
}

/** A line of a body that looks like a task must not become one. */
function bodyLine(line: string, indent: string): string {
  return line.trim() === '' ? '' : indent + line.replace(taskStart, '$1\\$2')
}
