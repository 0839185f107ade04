// ink paints the lines of the screen that changed, as it takes milliseconds for a whole one; where they stand is the
// layout's, and the terminal itself cli-kit's.
import { Writable } from 'node:stream'
import type { Line, Style } from '@switchyard/cli-kit/terminal/styled'
import { Box, render, Text } from 'ink'
import { createElement, type ReactElement } from 'react'
import Yoga from 'yoga-layout'
import { loadYoga } from 'yoga-layout/load'
import type { Layout } from './layout.ts'

type Size = { readonly columns: number; readonly rows: number }

export type Painter = {
  /** The rows of a screen of this size, as a terminal takes them. */
  paint(layout: Layout, size: Size): string[]
  close(): void
}

/** What ink draws into. */
class Frame extends Writable {
  text = ''
  columns = 80
  rows = 24

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.text = chunk.toString()
    done()
  }
}

/** ink asks of a terminal no more than its size, where it only draws. */
const isEnoughForInk = (stream: Writable): stream is NodeJS.WriteStream & Frame => 'columns' in stream

export async function openPainter(hasColor: boolean): Promise<Painter> {
  Object.assign(Yoga, await loadYoga())
  const frame = new Frame()
  if (!isEnoughForInk(frame)) throw new Error('bug: a frame has columns')
  // With `debug` each drawing is written whole and at once; otherwise ink would move the cursor of a terminal.
  const ink = render(null, { stdout: frame, debug: true, exitOnCtrlC: false, patchConsole: false })
  let painted = new Map<string, string>()
  return {
    paint: ({ header, body, detail, footer }, { columns }) => {
      const rows = [...header, ...body, ...detail, ...footer].map((line) => ({ line, key: keyOf(line, columns) }))
      const news = rows.filter(({ key }) => !painted.has(key))
      if (news.length > 0) {
        Object.assign(frame, { columns, rows: news.length })
        ink.rerender(columnOf(news, columns, hasColor))
      }
      const texts = frame.text.split('\n')
      const fresh = new Map(news.map(({ key }, at) => [key, texts[at] ?? '']))
      painted = new Map(rows.map(({ key }) => [key, painted.get(key) ?? fresh.get(key) ?? '']))
      return rows.map(({ key }) => painted.get(key) ?? '')
    },
    close: () => ink.unmount(),
  }
}

const keyOf = (line: Line, columns: number) => JSON.stringify([columns, line])

function columnOf(rows: readonly { line: Line }[], columns: number, hasColor: boolean): ReactElement {
  return createElement(
    Box,
    { flexDirection: 'column', width: columns, height: rows.length },
    rows.map(({ line }, at) => rowOf(line, at, hasColor)),
  )
}

/** An empty row is a space: ink would leave it out. */
const rowOf = (line: Line, key: number, hasColor: boolean) =>
  createElement(
    Text,
    { key, wrap: 'truncate' },
    line.length === 0
      ? ' '
      : line.map(({ text, style }, at) => createElement(Text, { key: at, ...looksOf(style, hasColor) }, text)),
  )

function looksOf(style: Style | undefined, hasColor: boolean) {
  switch (style) {
    case undefined:
      return {}
    case 'bold':
      return { bold: true }
    case 'dim':
      return { dimColor: true }
    case 'inverse':
      return { inverse: true }
    default:
      return hasColor ? { color: style } : {}
  }
}
