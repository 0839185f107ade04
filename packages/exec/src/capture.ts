/** Text of bounded size made from a stream of unbounded size. */
export type Capture = { add(chunk: Uint8Array): void; text(): string; readonly truncated: boolean }

/**
 * Keeps the first and the last half of what is added when it is more than `bytesMax`, with a line between that says
 * how much is missing. Memory stays below three times `bytesMax`. Bytes that are no UTF-8 become U+FFFD; a character
 * cut at an edge is dropped.
 */
export function captureHeadAndTail(bytesMax: number): Capture {
  const head = captureUpTo(Math.ceil(bytesMax / 2))
  const tail = captureTail(Math.floor(bytesMax / 2))
  return {
    add(chunk) {
      const rest = head.add(chunk)
      if (rest.length > 0) tail.add(rest)
    },
    text() {
      if (tail.dropped() === 0) return decode(Buffer.concat([head.bytes(), tail.bytes()]))
      const gap = `\n[… ${tail.dropped()} bytes left out …]\n`
      return decode(withoutCutEnd(head.bytes())) + gap + decode(withoutCutStart(tail.bytes()))
    },
    get truncated() {
      return tail.dropped() > 0
    },
  }
}

/** Keeps the last `bytesMax` bytes of what is added. */
export function captureEnd(bytesMax: number): Capture {
  const tail = captureTail(bytesMax)
  return {
    add: tail.add,
    text: () => decode(tail.dropped() === 0 ? tail.bytes() : withoutCutStart(tail.bytes())),
    get truncated() {
      return tail.dropped() > 0
    },
  }
}

function captureUpTo(bytesMax: number) {
  const chunks: Uint8Array[] = []
  let size = 0
  return {
    /** Takes what still fits and gives back the rest. */
    add(chunk: Uint8Array): Uint8Array {
      const taken = chunk.subarray(0, bytesMax - size)
      if (taken.length > 0) chunks.push(taken)
      size += taken.length
      return chunk.subarray(taken.length)
    },
    bytes: () => Buffer.concat(chunks),
  }
}

function captureTail(bytesMax: number) {
  let kept: Uint8Array[] = []
  let size = 0
  let total = 0
  const trim = () => {
    const bytes = Buffer.concat(kept).subarray(-bytesMax || Number.MAX_SAFE_INTEGER)
    kept = [bytes]
    size = bytes.length
  }
  return {
    add(chunk: Uint8Array): void {
      total += chunk.length
      kept.push(chunk)
      size += chunk.length
      if (size > 2 * bytesMax) trim()
    },
    bytes(): Buffer {
      return Buffer.concat(kept).subarray(-bytesMax || Number.MAX_SAFE_INTEGER)
    },
    dropped: () => Math.max(0, total - bytesMax),
  }
}

const isContinuation = (byte: number) => (byte & 0xc0) === 0x80

function withoutCutStart(bytes: Buffer): Buffer {
  let start = 0
  while (start < 3 && isContinuation(bytes[start] ?? 0)) start++
  return bytes.subarray(start)
}

function withoutCutEnd(bytes: Buffer): Buffer {
  let lead = bytes.length - 1
  while (lead > bytes.length - 4 && isContinuation(bytes[lead] ?? 0)) lead--
  const first = bytes[lead] ?? 0
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1
  return lead + length > bytes.length ? bytes.subarray(0, lead) : bytes
}

const decode = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8')
