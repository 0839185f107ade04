/** The code of a system error (`ENOENT`), so that a catch can name what it expects and rethrow the rest. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
