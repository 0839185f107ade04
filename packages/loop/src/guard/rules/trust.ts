import type { Finding } from '../finding.ts'
import { type Command, shownCommand } from '../shell/command.ts'

/** `loop trust`, but for taking it back. */
export function judgeTrust({ argv }: Command): readonly Finding[] {
  const asks = argv.slice(1).includes('trust') && !argv.includes('--revoke')
  return asks ? [{ rule: 'loop.trust', at: shownCommand(argv) }] : []
}
