/** The code of a system error (`ENOENT`), so that a catch can name what it expects and rethrow the rest. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
