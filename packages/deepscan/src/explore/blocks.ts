import { closeSync, fstatSync, readSync } from 'node:fs'
import { isBinary } from '../text/source-text.ts'
import { openToRead } from '../walk/source-file.ts'

/** Whole lines of a file; of the last block nothing comes behind. */
export type Block = { bytes: Buffer; isLast: boolean }

/** Why a file is not read. */
export type Unread = 'binary' | 'unreadable' | 'vanished' | 'not a file' | 'symlink'

const blockBytes = 4_194_304
/** A longer line is taken in pieces: a string of V8 holds half a gigabyte. */
const lineBytesMax = 67_108_864

let room = Buffer.allocUnsafeSlow(65_536)

/**
 * The bytes of a text file in blocks of whole lines, as UTF-8, without a byte order mark. A block holds until the next
 * one is asked for; memory is bounded by the longest line, whatever the file has.
 */
export function readBlocks(path: string): Generator<Block> | Unread {
  const file = openToRead(path)
  if (typeof file === 'string') return file
  const stats = fstatSync(file)
  if (!stats.isFile()) {
    closeSync(file)
    return 'not a file'
  }
  reserve(Math.min(stats.size + 1, blockBytes))
  const filled = fill(file, 0)
  const encoding = encodingOf(room.subarray(0, filled))
  if (encoding === 'utf-8' && isBinary(room.subarray(0, filled))) {
    closeSync(file)
    return 'binary'
  }
  return encoding === 'utf-8' ? wholeLines(file, filled) : transcoded(file, filled, encoding)
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

function encodingOf(head: Buffer): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : 'utf-8'
}

function* wholeLines(file: number, filled: number): Generator<Block> {
  try {
    let start = room[0] === 0xef && room[1] === 0xbb && room[2] === 0xbf ? 3 : 0
    for (let end = filled; ; ) {
      const isLast = end < room.length
      const cut = isLast ? end : endOfLines(start, end)
      if (cut > start) yield { bytes: room.subarray(start, cut), isLast }
      if (isLast) return
      const rest = end - cut
      room.copyWithin(0, cut, end)
      if (rest === room.length) reserve(Math.min(room.length * 4, lineBytesMax))
      start = 0
      end = fill(file, rest)
    }
  } finally {
    closeSync(file)
  }
}

/** Behind the last line end; nothing, so that there is more room, when the block holds none and may grow. */
function endOfLines(start: number, end: number): number {
  const cut = room.lastIndexOf(0x0a, end - 1) + 1
  if (cut > start) return cut
  return end - start >= lineBytesMax ? end : start
}

/** Has at least so many bytes of room; what stands in it stays. */
function reserve(bytes: number): void {
  if (room.length >= bytes && room.length <= blockBytes) return
  const larger = Buffer.allocUnsafeSlow(Math.max(bytes, 65_536))
  room.copy(larger)
  room = larger
}

/** Reads until the room is full or the file ends; up to where it is filled. */
function fill(file: number, from: number): number {
  let end = from
  while (end < room.length) {
    const length = readSync(file, room, end, room.length - end, null)
    if (length === 0) break
    end += length
  }
  return end
}

/** A file of two bytes a character, which are rare, in one piece. */
function* transcoded(file: number, filled: number, encoding: Encoding): Generator<Block> {
  try {
    const decoder = new TextDecoder(encoding)
    let text = ''
    for (let end = filled; ; end = fill(file, 0)) {
      text += decoder.decode(room.subarray(0, end), { stream: end === room.length })
      if (end < room.length) break
    }
    yield { bytes: Buffer.from(text), isLast: true }
  } finally {
    closeSync(file)
  }
}
