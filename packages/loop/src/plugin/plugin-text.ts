// How what all plugins say is written down.
import type { Piece } from './source.ts'

/** Text by path, relative to the plugin's folder. */
export type Files = Readonly<Record<string, string>>

export const pluginName = 'loop'
export const description = 'Keeps an agent going until its work is verified and landed, and guards what it runs'

export function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** Each as it is, in a folder. */
export function asMarkdown(folder: string, pieces: readonly Piece[]): Files {
  return Object.fromEntries(pieces.map(({ name, file }) => [`${folder}/${name}.md`, file]))
}

/** A Markdown file with these fields. Each value is JSON text, which YAML reads alike. */
export function withFields(fields: Readonly<Record<string, unknown>>, text: string): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
  return `---\n${lines.join('')}---\n${text}`
}
