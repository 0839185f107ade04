import type { FoundObject } from './json-objects.ts'

/** What an agent says of its answer, beside the JSON or in its place. */
export type Marker = { readonly word: 'FINAL' | 'FINAL_VAR' | 'NEEDS_MORE' | 'UNABLE'; readonly text: string }

const markerPattern = /(?:^|[\s`*>])(FINAL_VAR|FINAL|NEEDS_MORE|UNABLE)\(([^\n]{0,2000})/g
const textMax = 500

/** The last marker that stands outside of the JSON in a text. In prose, `final(1)` is none. */
export function findMarker(text: string, objects: readonly FoundObject[]): Marker | undefined {
  let last: Marker | undefined
  for (const match of text.matchAll(markerPattern)) {
    const [, word, rest = ''] = match
    const at = match.index + match[0].indexOf('(')
    if (objects.some(({ start, end }) => start < at && at < end)) continue
    if (word === 'FINAL' || word === 'FINAL_VAR' || word === 'NEEDS_MORE' || word === 'UNABLE') {
      last = { word, text: argumentOf(rest) }
    }
  }
  return last
}

/** What stands between the parentheses, without its quotation marks. */
function argumentOf(rest: string): string {
  const [, quoted] = /^\s*(?:"((?:[^"\\]|\\.)*)"|'(?:[^'\\]|\\.)*')/.exec(rest) ?? []
  const inner = quoted ?? rest.split(')')[0] ?? ''
  return inner
    .replace(/\\(["'\\])/g, '$1')
    .replace(/^'|'$/g, '')
    .trim()
    .slice(0, textMax)
}
