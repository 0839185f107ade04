import { type Command, shownCommand } from '../shell/command.ts'
import type { Finding } from '../verdict/finding.ts'

/** `loop trust`, but for taking it back. */
export function judgeTrust({ argv }: Command): readonly Finding[] {
  const asks = argv.slice(1).includes('trust') && !argv.includes('--revoke')
  return asks ? [{ rule: 'loop.trust', at: shownCommand(argv) }] : []
}
