/** Why something below a scanned path was not looked at. */
export const skipReasons = [
  'ignored',
  'excluded',
  'tool folder',
  'nested repository',
  'symlink',
  'not a file',
  'no rules for its kind',
  'too large',
  'binary',
  'nested too deeply',
  'unreadable',
  'vanished',
  'generated',
  'minified',
  'vendored',
  'not changed',
  'may hold secrets',
  'not loaded yet',
] as const

export type SkipReason = (typeof skipReasons)[number]
