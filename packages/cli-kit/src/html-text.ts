// Hostile text into HTML: every piece is escaped on its own, so that nothing a message says can be markup.

const entities = new Map(
  Object.entries({
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }),
)

/** Characters of a formatted piece; a longer one stays as it is written. */
const inlineMax = 400
const inlinePattern = new RegExp(
  [
    `\`([^\`\\n]{1,${inlineMax}})\``,
    `\\*\\*([^*\\n]{1,${inlineMax}})\\*\\*`,
    `(https?://[^\\s<>"'\`]{0,2000}[^\\s<>"'\`.,;:!?)\\]}])`,
  ].join('|'),
  'g',
)

/**
 * Text as HTML text or as the value of an attribute. Control characters, which HTML has no place for, become U+FFFD.
 */
export function escapeHtml(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\0-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd')
    .replaceAll(/[&<>"']/g, (character) => entities.get(character) ?? '')
}

/** A name in its own direction, so that its letters turn nothing around it. */
export function nameHtml(text: string): string {
  return `<bdi>${escapeHtml(text)}</bdi>`
}

function inlineHtml(text: string): string {
  let html = ''
  let done = 0
  for (const match of text.matchAll(inlinePattern)) {
    const [whole, code, strong, url] = match
    html += escapeHtml(text.slice(done, match.index))
    if (code !== undefined) html += `<code>${escapeHtml(code)}</code>`
    else if (strong !== undefined) html += `<strong>${escapeHtml(strong)}</strong>`
    else html += `<a href="${escapeHtml(url ?? '')}" rel="nofollow noopener noreferrer">${escapeHtml(url ?? '')}</a>`
    done = match.index + whole.length
  }
  return html + escapeHtml(text.slice(done))
}

/** Where columns matter, each letter must be as wide as the next: tables, trees, tabs. */
function isAligned(text: string): boolean {
  return /\t|\S {3,}\S|[\u2500-\u259f]|^ {2,}\S.*\n {2,}\S/m.test(text)
}

function proseHtml(lines: readonly string[]): string {
  const text = lines.join('\n').replace(/^\n+|\s+$/g, '')
  if (text === '') return ''
  return `<div class="${isAligned(text) ? 'text mono' : 'text'}" dir="auto">${inlineHtml(text)}</div>`
}

function codeHtml(lines: readonly string[]): string {
  return `<pre tabindex="0"><code>${escapeHtml(lines.join('\n'))}</code></pre>`
}

/**
 * A body as HTML: fenced blocks as code, the rest as it is written, with `code`, **strong** and http links. No other
 * markup is known, and none is passed through.
 */
export function bodyHtml(body: string): string {
  const parts: string[] = []
  let lines: string[] = []
  let fence: string | undefined
  for (const line of body.split(/\r\n?|\n/)) {
    const [, marks] = /^ {0,3}(`{3,}|~{3,})[^`]*$/.exec(line) ?? []
    const isEnd = fence !== undefined && marks?.startsWith(fence) && line.trim() === marks
    if (fence === undefined ? marks === undefined : !isEnd) {
      lines.push(line)
      continue
    }
    parts.push(fence === undefined ? proseHtml(lines) : codeHtml(lines))
    lines = []
    fence = fence === undefined ? marks : undefined
  }
  parts.push(fence === undefined ? proseHtml(lines) : codeHtml(lines))
  return parts.join('')
}
