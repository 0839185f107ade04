/** How results are printed: text for people, one JSON document, one JSON object a line, or ids only. */
export type OutputMode = 'text' | 'json' | 'jsonl' | 'quiet'

/** How to show one value: its line(s) for people, and the id, or the ids, that `--quiet` prints a line each. */
export type Shown<T> = { text: (value: T) => string; id: (value: T) => string | readonly string[] }

/**
 * The only way to stdout. Writes are synchronous and survive a slow or closed reader; a closed one ends the process
 * quietly with 0. Control characters are stripped from text when stdout is a terminal.
 */
export type Output = {
  readonly mode: OutputMode
  readonly isTerminal: boolean
  /** Cells of a line, for who has asked `isTerminal`: in a pipe nobody says. */
  readonly columns?: number | undefined
  readonly color: boolean
  /** One result: a JSON document, a JSON line, its id, or its text. */
  one<T>(value: T, shown: Shown<T>): void
  /** A list: one JSON array, JSON lines, ids, or texts; `empty` goes to stderr when there is none in text mode. */
  list<T>(values: readonly T[], shown: Shown<T> & { empty?: string }): void
  /** One element of a stream, at once: a JSON line for --json and --jsonl alike, its id, or its text. */
  each<T>(value: T, shown: Shown<T>): void
  /** Bytes as they are (completion scripts, exports). */
  raw(text: string | Uint8Array): void
  /** A line for people on stderr; nothing with --quiet. */
  note(text: string): void
}

export type Input = {
  readonly isTerminal: boolean
  /** All of stdin, to its end. */
  readAll(): Buffer
  /** All of stdin as it comes, for what need not be held whole. */
  chunks(): Iterable<Buffer>
  /**
   * Lines as they come, without their LF; a last line without LF counts. Lines above `bytesMax` end in a usage
   * failure.
   */
  lines(bytesMax: number): Iterable<Buffer>
  /** Lines of stdin in groups: each holds what one read completed, so that what comes together is handled together. */
  lineBatches(bytesMax: number): Iterable<readonly Buffer[]>
  /** Lines of stdin, without blocking the process between them: timers, signals and other work get their turn. */
  linesAsync(bytesMax: number): AsyncIterable<Buffer>
}

/** The world as a verb sees it; tests pass their own. */
export type Context = {
  readonly tool: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly input: Input
  readonly output: Output
  /**
   * Aborted by the first SIGINT or SIGTERM once a verb has asked for it; until then a signal ends the process. Ask
   * after stdin was read: reads block, and a signal that is listened for waits for them.
   */
  readonly interrupted: () => AbortSignal
  /**
   * Runs another command line of the same tool, words behind its name, with streams of its own, and elsewhere where a
   * folder and an environment are given; returns its exit code and throws what its verb throws. The output mode is the
   * given output's.
   */
  readonly perform: (
    argv: readonly string[],
    streams: Pick<Context, 'input' | 'output' | 'interrupted'> & Partial<Pick<Context, 'cwd' | 'env'>>,
  ) => Promise<number>
}
