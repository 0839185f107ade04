// ink lays the screen out and paints it; which of its lines changed, and the terminal itself, are cli-kit's.
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
  return {
    paint: (layout, size) => {
      Object.assign(frame, size)
      ink.rerender(screenOf(layout, size, hasColor))
      return frame.text.split('\n')
    },
    close: () => ink.unmount(),
  }
}

function screenOf({ header, body, detail, footer }: Layout, size: Size, hasColor: boolean): ReactElement {
  const part = (key: string, lines: readonly Line[], props: object) =>
    createElement(
      Box,
      { key, flexDirection: 'column', overflow: 'hidden', ...props },
      lines.map((line, at) => rowOf(line, at, hasColor)),
    )
  return createElement(Box, { flexDirection: 'column', width: size.columns, height: size.rows }, [
    part('header', header, { flexShrink: 0 }),
    part('body', body, { flexGrow: 1 }),
    part('detail', detail, { flexShrink: 0 }),
    part('footer', footer, { flexShrink: 0 }),
  ])
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
