// Issues of a table: the first row names the columns, those without a meaning of their own are kept as meta.
import { createHash } from 'node:crypto'
import { parseDuration } from '@switchyard/cli-kit/duration'
import { statuses } from '../schema/event.check.ts'
import type { Status } from '../schema/event-schema.ts'
import { flagOf, type Kind, kindOf, optionalNames } from '../schema/fields.ts'
import type { Faults } from '../text/faults.ts'
import { type CsvRow, fromText, parseCsv, separatorOf } from './csv.ts'
import { columnOf, columns as exportedColumns, originColumns } from './csv-columns.ts'
import { type ForeignIssue, type ForeignLink, filledMeta, titleLine, typeWord } from './foreign-issue.ts'

const keyPrefix = 'csv:'
const priorityMissing = 2

/** Other names of columns, as other programs call them. */
const aliases: Readonly<Record<string, string>> = {
  summary: 'title',
  description: 'body',
  state: 'status',
  labels: 'tags',
  issue_type: 'type',
  depends_on: 'blocked_by',
  reason: 'close_reason',
  ...Object.fromEntries(optionalNames.map((name) => [flagOf[name], columnOf(name)])),
}
const columns = exportedColumns.filter((column) => !originColumns.includes(column))
const statusWords: Readonly<Record<string, Status>> = {
  '': 'open',
  todo: 'open',
  doing: 'in_progress',
  done: 'closed',
  resolved: 'closed',
}
const priorityWords: Readonly<Record<string, number>> = { '': priorityMissing, high: 1, medium: 2, low: 3 }

/** A row by the names of its columns. */
type Cells = ReadonlyMap<string, string>

/** Whether a header row has what an issue cannot do without. */
export function isCsvHeader(line: string): boolean {
  const [header] = parseCsv(line, separatorOf(line)).rows
  return header !== undefined && header.cells.length > 1 && namesOf(header).includes('title')
}

/** The issues of a table. Rows are named by the line that they begin on. */
export function parseCsvIssues(text: string, faults: Faults) {
  const issues: ForeignIssue[] = []
  const links: ForeignLink[] = []
  const { rows, fault } = parseCsv(text, separatorOf(text))
  if (fault) faults.add(`line ${fault.line} ${fault.reason}`)
  const [header, ...body] = rows
  if (header === undefined) return { issues, links }
  const names = namesOf(header)
  if (!names.includes('title')) faults.add(`line ${header.line} names no column title`)
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index)
  if (twice !== undefined) faults.add(`line ${header.line} has the column ${twice} twice`)
  const counts = new Map<string, number>()
  for (const { line, cells } of body) {
    const place = `line ${line}`
    if (cells.length > names.length) faults.add(`${place} has ${cells.length} cells, there are ${names.length} columns`)
    const row: Cells = new Map(cells.map((cell, index) => [names[index] ?? '', fromText(cell)]))
    const issue = issueOf(row, place, counts, faults)
    issues.push(issue)
    for (const link of linksOf(row, issue.key)) links.push(link)
  }
  return { issues, links }
}

/** The members of a cell that holds several: a row of its own, so that a comma within one needs quotes. */
function splitCell(cell: string): string[] {
  const { rows } = parseCsv(cell, ',')
  return rows.flatMap(({ cells }) => cells.map((member) => member.trim())).filter((member) => member !== '')
}

function namesOf({ cells }: CsvRow): string[] {
  return cells.map(fromText).map((cell) => {
    const name = cell.trim().toLowerCase().replace(/[ -]+/g, '_')
    if (Object.hasOwn(aliases, name)) return aliases[name] ?? name
    return columns.includes(name) ? name : cell.trim()
  })
}

function issueOf(row: Cells, place: string, counts: Map<string, number>, faults: Faults): ForeignIssue {
  const cell = (name: string) => row.get(name) ?? ''
  const text = (name: string) => (cell(name) === '' ? undefined : cell(name))
  const checked = <T>(name: string, value: T | undefined, expected: string): T | undefined => {
    if (value === undefined)
      faults.add(`${place} has a wrong ${name} (expected ${expected}, got ${JSON.stringify(cell(name))})`)
    return value
  }
  const title = titleLine(cell('title'))
  if (title === '') faults.add(`${place} has no title`)
  const status = checked('status', statusOf(cell('status')), statuses.join(', ')) ?? 'open'
  const priority = checked('priority', priorityOf(cell('priority')), '1 to 5') ?? priorityMissing
  const optional = optionalNames.flatMap((name) => {
    const column = columnOf(name)
    const value = text(column)
    const [read, expected] = readings[kindOf(name)]
    return value === undefined ? [] : [[name, checked(column, read(value), expected)]]
  })
  const name = text('id') ?? nameOf(title, counts)
  return {
    key: keyPrefix + name,
    name,
    title,
    body: cell('body'),
    priority,
    tags: splitCell(cell('tags')),
    status,
    sourceStatus: status,
    reason: text('close_reason'),
    issueType: typeWord(text('type')),
    ...Object.fromEntries(optional),
    refs: [...(text('id') === undefined ? [] : [cell('id')]), ...splitCell(cell('refs'))],
    meta: filledMeta(
      [...row].filter(([column]) => !columns.includes(column)).map(([column, value]) => [metaName(column), value]),
    ),
    comments: [],
  }
}

/** How a cell of each kind of field is read, and what it should have been where it cannot be. */
const readings: Readonly<
  Record<Kind, readonly [read: (text: string) => string | number | undefined, expected: string]>
> = {
  line: [titleLine, 'one line'],
  text: [(text) => text, 'a text'],
  word: [typeWord, 'a word'],
  name: [(text) => text, 'a name'],
  priority: [priorityOf, '1 to 5'],
  moment: [momentOf, 'a date'],
  span: [parseDuration, 'a duration such as 2h'],
}

function momentOf(text: string): number | undefined {
  const time = Date.parse(text)
  return Number.isSafeInteger(time) && time >= 0 ? time : undefined
}

/** A row without an id goes by its title, and by its number among equals. */
function nameOf(title: string, counts: Map<string, number>): string {
  const count = (counts.get(title) ?? 0) + 1
  counts.set(title, count)
  return createHash('sha256').update(`${count} ${title}`).digest('hex').slice(0, 20)
}

function linksOf(row: Cells, key: string): ForeignLink[] {
  const keysIn = (name: string) => splitCell(row.get(name) ?? '').map((id) => keyPrefix + id)
  return [
    ...keysIn('blocked_by').map((from) => ({ kind: 'blocks' as const, from, to: key })),
    ...keysIn('parent').map((from) => ({ kind: 'parent' as const, from, to: key })),
  ]
}

function metaName(column: string): string {
  return column.startsWith('meta.') ? column.slice('meta.'.length) : column
}

function statusOf(text: string): Status | undefined {
  const word = text.trim().toLowerCase().replace(/[ -]+/g, '_')
  return statuses.find((one) => one === word) ?? (Object.hasOwn(statusWords, word) ? statusWords[word] : undefined)
}

function priorityOf(text: string): number | undefined {
  const word = text.trim().toLowerCase()
  if (/^p?[1-5]$/.test(word)) return Number(word.slice(-1))
  return Object.hasOwn(priorityWords, word) ? priorityWords[word] : undefined
}
