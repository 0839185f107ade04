/** A Markdown file with fields above its text. `fields` are without their quotes; `faults` is what YAML would not take. */
export type MarkedText = {
  readonly fields: Readonly<Record<string, string>>
  readonly text: string
  readonly faults: readonly string[]
}

const fence = /^---[ \t]*\r?\n/
const fieldLine = /^([A-Za-z][\w-]*)[ \t]*:(?:[ \t]+(.*))?$/

/**
 * The front matter of a Markdown file: `name: value` lines between two `---` lines, as agents' hosts write them. Lines
 * that are indented or begin with a dash belong to the field above. Undefined when the file does not begin with one.
 */
export function parseFrontMatter(file: string): MarkedText | undefined {
  const rest = file.replace(/^\uFEFF/, '')
  if (!fence.test(rest)) return undefined
  const inner = rest.replace(fence, '')
  const end = /^---[ \t]*(?:\r?\n|$)/m.exec(inner)
  if (end === null) return undefined
  const lines = inner.slice(0, end.index).split(/\r?\n/)
  return {
    ...parseFields(lines.filter((line) => !/^\s*(#.*)?$/.test(line))),
    text: inner.slice(end.index + end[0].length),
  }
}

function parseFields(lines: readonly string[]): Pick<MarkedText, 'fields' | 'faults'> {
  const fields: Record<string, string> = {}
  const faults: string[] = []
  let last: string | undefined
  for (const line of lines) {
    const [, name, value = ''] = fieldLine.exec(line) ?? []
    if (name !== undefined) {
      if (Object.hasOwn(fields, name)) faults.push(`${name} stands there twice`)
      if (isAmbiguous(value)) faults.push(`the value of ${name} needs quotes`)
      fields[name] = unquoted(value.trim())
      last = name
    } else if (last !== undefined && /^[\s-]/.test(line)) {
      fields[last] = `${fields[last] ?? ''}\n${line.trim()}`.trim()
    } else {
      faults.push(`expected NAME: VALUE, got ${line}`)
    }
  }
  return { fields, faults }
}

/** Whether YAML would take a plain value for something else: a mapping, a comment, a reference. */
function isAmbiguous(value: string): boolean {
  return !/^["'[{|>]/.test(value) && (/:\s|:$|\s#/.test(value) || /^[&*!%@`]/.test(value))
}

/** A list in any of the ways in which it is written: `a, b`, `[a, b]`, or one a line behind a dash. */
export function listed(value: string): string[] {
  const items = value.replace(/^\[|\]$/g, '').split(/[,\n]/)
  return items.map((item) => unquoted(item.replace(/^\s*-\s+/, '').trim())).filter((item) => item !== '')
}

function unquoted(value: string): string {
  const [, quote, inner] = /^(["'])(.*)\1$/s.exec(value) ?? []
  if (quote === undefined || inner === undefined) return value
  return quote === '"' ? inner.replace(/\\(["\\])/g, '$1') : inner.replaceAll("''", "'")
}
