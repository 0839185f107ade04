import type { Context } from '@switchyard/cli-kit'

const answerBytesMax = 1_000

/** Asks a person at a terminal; yes where there is nobody to ask, so that scripts do not wait. */
export function isWanted(question: string, { input, output }: Pick<Context, 'input' | 'output'>): boolean {
  if (!input.isTerminal || !output.isTerminal || output.mode !== 'text') return true
  output.note(`${question} [y/N]`)
  for (const line of input.lines(answerBytesMax)) return /^\s*y(es)?\s*$/i.test(line.toString('utf8'))
  return false
}
