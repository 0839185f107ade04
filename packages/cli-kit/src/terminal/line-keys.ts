// What keys mean where a line is written, and where something is scrolled.

/** A line of text after a key. */
export function typedInto(text: string, key: string): string {
  if (key === 'backspace') return [...text].slice(0, -1).join('')
  if (key === 'ctrl-u') return ''
  if (key === 'ctrl-w') return text.replace(/\S+\s*$/, '')
  return [...key].length === 1 ? text + key : text
}

/** How many rows a key goes down, of a screen that shows `page` at once; undefined for keys that do not scroll. */
export function scrollStep(key: string, page: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    down: 1,
    j: 1,
    up: -1,
    k: -1,
    'page-down': page,
    ' ': page,
    'page-up': -page,
    home: -rowsMax,
    g: -rowsMax,
    end: rowsMax,
    G: rowsMax,
  }
  return Object.hasOwn(steps, key) ? steps[key] : undefined
}

/** More than there are rows, and still a number that can be added to. */
const rowsMax = 1e9
