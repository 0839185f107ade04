/** The powers by which root reads and writes what permissions forbid. */
const powers = '-dac_override,-dac_read_search'

/**
 * A command line as a user whom file permissions stop. Root stays root and keeps what it owns, within folders that
 * nobody else may enter, but gives up the powers that go past permissions.
 */
export function heeding(command: readonly string[]): readonly string[] {
  if (process.getuid?.() !== 0) return command
  return ['setpriv', `--bounding-set=${powers}`, `--inh-caps=${powers}`, '--', ...command]
}
