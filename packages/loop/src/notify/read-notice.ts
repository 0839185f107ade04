import { Failure } from '@switchyard/ground/failure'
import { fieldForms, type Notice, type NoticeType, noticeFields, noticeTypes } from './notice-schema.ts'

/** The type a word names, in whichever case. Failure `usage`. */
export function parseType(word: string): NoticeType {
  const type = noticeTypes.find((one) => one === word.toUpperCase())
  if (type !== undefined) return type
  throw new Failure('usage', `expected ${noticeTypes.join(', ')}, got ${word}`)
}

/**
 * `NAME=VALUE` words as the fields of a notice, in the order in which its type has them. Failure `usage` that names
 * what is missing, unknown, said twice or of another form.
 */
export function parseFields(type: NoticeType, words: readonly string[]): Record<string, string> {
  const { must, may } = noticeFields[type]
  const known: readonly string[] = [...must, ...may]
  const given = new Map<string, string>()
  for (const word of words) {
    const [, name = '', value = ''] = /^([A-Za-z-]+)=(.*)$/s.exec(word) ?? []
    const field = name.toLowerCase()
    if (!known.includes(field)) throw unfit(type, `got ${word.slice(0, 80)}`)
    if (given.has(field)) throw unfit(type, `got ${field} twice`)
    given.set(field, checked(field, value.trim()))
  }
  const missing = must.find((field) => !given.has(field))
  if (missing !== undefined) throw unfit(type, `${missing} is missing`)
  return Object.fromEntries(known.flatMap((field) => (given.has(field) ? [[field, given.get(field) ?? '']] : [])))
}

function checked(field: string, value: string): string {
  const { form, expected } = fieldForms[field] ?? { form: /^[^\r\n]+$/, expected: 'a text of one line' }
  const said = expected.includes('HIGH') || expected.includes('_') ? value.toUpperCase() : value
  if (form.test(said)) return said
  throw new Failure('usage', `expected ${field} to be ${expected}, got ${JSON.stringify(value.slice(0, 80))}`)
}

function unfit(type: NoticeType, what: string): Failure {
  const { must, may } = noticeFields[type]
  const all = [...must.map((name) => `${name}=…`), ...may.map((name) => `[${name}=…]`)].join(' ')
  return new Failure('usage', `expected the fields of ${type}, ${what}`, {
    hint: `loop notify AGENT ${type} SUBJECT ${all}`,
  })
}

/**
 * The message of a notice: the line that is searched for, a line a field, and the report itself where it is no file.
 */
export function renderNotice(
  { agent, notice, subject, path, summary, fields }: Notice,
  report: string | undefined,
): string {
  const lines = [
    `[${agent}] ${notice}: ${subject}`,
    ...(path === null ? [] : [`Path: ${path}`]),
    `Summary: ${summary}`,
    ...Object.entries(fields).map(([name, value]) => `${title(name)}: ${value}`),
  ]
  return report === undefined ? lines.join('\n') : `${lines.join('\n')}\n\n${report}`
}

const title = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`
