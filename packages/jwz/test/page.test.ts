import { createHash } from 'node:crypto'
import { bodyHtml, escapeHtml } from '@switchyard/cli-kit/html-text'
import type { Message } from '@switchyard/topic'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anchorOf } from '../src/export/html/anchor.ts'
import { script, style } from '../src/export/html/assets.ts'
import { htmlPage } from '../src/export/html/topic-page.ts'
import type { TopicExport } from '../src/exported/topic-export.ts'
import { forestOf } from '../src/message/forest.ts'

function message(id: string, more: Partial<Message> = {}): Message {
  return { v: 1, id, at: 1_763_762_400_000, topic: 't', from: 'ann', body: id, ...more }
}

function page(messages: readonly Message[]): string {
  const content: TopicExport = {
    topic: 't',
    placed: forestOf(messages),
    acks: new Map([['a', ['bob']]]),
    wholeOf: (whole) => whole,
    exportedAt: 0,
  }
  return [...htmlPage(content)].join('')
}

/** Tags that are opened and never closed, or the other way round; none in a page that is well formed. */
function unbalanced(html: string): string[] {
  const open: string[] = []
  const faults: string[] = []
  for (const [, slash, tag = ''] of html
    .replace(/<(style|script)>[\s\S]*?<\/\1>/g, '')
    .matchAll(/<(\/?)([a-z0-9]+)[^>]*>/g)) {
    if (['meta', 'link', 'input'].includes(tag)) continue
    if (!slash) open.push(tag)
    else if (open.pop() !== tag) faults.push(tag)
  }
  return [...faults, ...open]
}

describe('forestOf', () => {
  const shape = (messages: readonly Message[]) => forestOf(messages).map(({ message, depth }) => [message.id, depth])

  it('places replies under what they answer, also where the log has them the other way round', () => {
    const messages = [
      message('c', { reply_to: 'b' }),
      message('a'),
      message('b', { reply_to: 'a' }),
      message('d', { reply_to: 'nobody' }),
      message('e', { reply_to: 'a' }),
    ]
    expect(shape(messages)).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 2],
      ['e', 1],
      ['d', 0],
    ])
  })

  it('has every message once, whatever answers what', () => {
    const links = fc.array(fc.option(fc.nat(11), { nil: undefined }), { maxLength: 12 })
    fc.assert(
      fc.property(links, (answers) => {
        const messages = answers.map((to, at) => message(`${at}`, to === undefined ? {} : { reply_to: `${to}` }))
        expect(
          shape(messages)
            .map(([id]) => id)
            .sort(),
        ).toEqual(messages.map(({ id }) => id).sort())
      }),
    )
  })

  it('bears a chain of 20,000 replies', () => {
    const chain = Array.from({ length: 20_000 }, (_, at) => message(`${at}`, { reply_to: `${at - 1}` }))
    expect(forestOf(chain).at(-1)?.depth).toBe(19_999)
    expect(unbalanced(page(chain.slice(0, 50)))).toEqual([])
  })
})

describe('bodyHtml', () => {
  it('shows code, strong and links, and nothing else', () => {
    expect(bodyHtml('see `a<b` and **this** at https://x.org/?a=1&b=2.')).toBe(
      '<div class="text" dir="auto">see <code>a&lt;b</code> and <strong>this</strong> at ' +
        '<a href="https://x.org/?a=1&amp;b=2" rel="nofollow noopener noreferrer">https://x.org/?a=1&amp;b=2</a>.</div>',
    )
    expect(bodyHtml('a\n```ts\n<b>\n````\nc')).toBe(
      '<div class="text" dir="auto">a</div><pre tabindex="0"><code>&lt;b&gt;</code></pre><div class="text" dir="auto">c</div>',
    )
  })

  it('makes no markup of what a message says', () => {
    const alphabet = [
      '<',
      '>',
      '"',
      "'",
      '&',
      '`',
      '*',
      '\n',
      '\r',
      '~',
      'a',
      ' ',
      '```',
      'https://',
      'javascript:',
      '\0',
      '\u202e',
    ]
    const hostile = fc.array(fc.constantFrom(...alphabet), { maxLength: 60 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(hostile, (text) => {
        const html = bodyHtml(text)
        const allowed = /<\/?(?:div|pre|code|strong|a)(?: (?:class|dir|tabindex|href|rel)="[^"<>]*")*>/g
        expect(html.replaceAll(allowed, '')).not.toMatch(/[<>]/)
        expect(unbalanced(html)).toEqual([])
        expect(html).not.toMatch(/href="(?!https?:)/)
      }),
      { numRuns: 1000 },
    )
  })

  it('has anchors that are one word, and different for different ids', () => {
    expect(escapeHtml(anchorOf('a b"<é'))).toBe('m-a.20b.22.3c.e9')
    expect(anchorOf('a.20b')).not.toBe(anchorOf('a b'))
  })
})

describe('the page of a topic', () => {
  it('is well formed, with a heading for the topic, each day and each message', () => {
    const html = page([
      message('a', { urgent: true, attachments: [{ name: 'x.log', sha256: 'a'.repeat(64), bytes: 12 }] }),
      message('b', { reply_to: 'a', data: { x: '</script>' }, from: 'bob' }),
      message('c', { at: 1_763_862_400_000 }),
      message('d', { at: 1e300 }),
    ])
    expect(unbalanced(html)).toEqual([])
    expect([html.match(/<h1/g)?.length, html.match(/<h2/g)?.length, html.match(/<h3/g)?.length]).toEqual([1, 3, 4])
    expect(html).toContain('acknowledged by <bdi>bob</bdi>')
    expect(html).toContain('<span class="urgent">urgent</span>')
    expect(html).toContain('<bdi>x.log</bdi> <small>12 B</small>')
    expect(unbalanced(page([]))).toEqual([])
  })

  it('may run exactly its own script and style', () => {
    const html = page([message('a')])
    for (const text of [script, style]) {
      expect(html).toContain(`>${text}</`)
      expect(html).toContain(`'sha256-${createHash('sha256').update(text).digest('base64')}'`)
    }
  })

  it('has text that can be read on what it stands on, light and dark', () => {
    const [light = '', dark = ''] = [...style.matchAll(/:root\{([^}]*)\}/g)].map(([, rules]) => rules)
    for (const scheme of [light, dark]) {
      const colours = new Map(
        [...scheme.matchAll(/--([\w-]+):\s*(#[0-9a-f]+)/g)].map(([, name = '', hex = '']) => [name, hex]),
      )
      const senders = Array.from({ length: 10 }, (_, at) => `c${at}`)
      for (const ink of ['ink', 'quiet', 'link', ...senders]) {
        for (const paper of ['paper', 'card', 'urgent-paper', 'mark']) {
          expect([ink, paper, contrast(colours.get(ink) ?? '', colours.get(paper) ?? '') >= 4.5]).toEqual([
            ink,
            paper,
            true,
          ])
        }
      }
      expect(contrast(colours.get('urgent') ?? '', colours.get('urgent-paper') ?? '')).toBeGreaterThan(4.5)
    }
  })
})

function luminance(hex: string): number {
  const full = hex.length === 4 ? hex.replace(/[0-9a-f]/g, '$&$&') : hex
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(full.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** By WCAG 2. */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((left, right) => left - right)
  return (lighter + 0.05) / (darker + 0.05)
}
