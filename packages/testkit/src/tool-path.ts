import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where npm links the built binaries by their names. */
export const linkedTools = fileURLToPath(new URL('../../../node_modules/.bin', import.meta.url))

/** A PATH on which `jwz`, `tissue` and the others are the built binaries. */
export function toolPath(): string {
  return [linkedTools, process.env['PATH'] ?? ''].join(delimiter)
}
