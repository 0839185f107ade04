// Writing to a terminal that may be slow, stopped or gone, without waiting for it: keys and signals go on meanwhile.
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { systemCode } from '@switchyard/ground/failure'

export type TerminalOut = {
  /** Writes what the terminal takes now; the rest follows by itself. */
  write(text: string): void
  /** False while something still waits for the terminal. */
  isFree(): boolean
  /** Writes the last text, for which a slow terminal is waited for a moment, and ends. One that is gone is no error. */
  end(text: string): void
}

/** How long to wait before a slow terminal is tried again, doubled each time. */
const pauseMsMin = 2
const pauseMsMax = 100
/** How often the last text is tried, `pauseMsMin` apart. */
const lastTries = 100

/**
 * Opens the terminal that stdout is. `onFree` is called when all that had to wait was written, `onGone` when the
 * terminal takes nothing any more and never will.
 */
export function openTerminalOut({ onFree, onGone }: { onFree: () => void; onGone: () => void }): TerminalOut {
  const own = openOwn()
  const fd = own ?? 1
  let rest = Buffer.alloc(0)
  let waiting: NodeJS.Timeout | undefined

  /** Writes until the terminal takes no more; false when it is gone. */
  const flush = () => {
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest))
    } catch (error) {
      if (systemCode(error) === 'EAGAIN') return true
      rest = Buffer.alloc(0)
      return false
    }
    return true
  }
  const flushLater = (pauseMs: number) => {
    waiting = setTimeout(() => {
      waiting = undefined
      if (!flush()) onGone()
      else if (rest.length > 0) flushLater(Math.min(pauseMs * 2, pauseMsMax))
      else onFree()
    }, pauseMs)
  }
  return {
    write: (text) => {
      rest = Buffer.concat([rest, Buffer.from(text)])
      if (waiting !== undefined) return
      // Told later, as for what had to wait: nobody expects to be called back by a call of his own.
      if (!flush()) setImmediate(onGone)
      else if (rest.length > 0) flushLater(pauseMsMin)
    },
    isFree: () => rest.length === 0,
    end: (text) => {
      clearTimeout(waiting)
      rest = Buffer.concat([rest, Buffer.from(text)])
      for (let tries = 0; tries < lastTries && flush() && rest.length > 0; tries += 1) pause(pauseMsMin)
      if (own !== undefined) closeSync(own)
    },
  }
}

/** The terminal once more, to be written to without waiting; stdout itself may be shared with those who wait. */
function openOwn(): number | undefined {
  try {
    return openSync('/dev/fd/1', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch (error) {
    // Another user's terminal, or no such folder: then stdout has to do.
    if (systemCode(error) === undefined) throw error
    return undefined
  }
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
