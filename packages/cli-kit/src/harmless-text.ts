/**
 * What a terminal would act on: escape sequences, control characters but LF and TAB, and marks that turn the direction
 * of text.
 */
export const active = new RegExp(
  [
    /\u001b\[[0-?]*[ -/]*[@-~]/,
    /\u001b[\]PX^_][^\u0007\u001b\n]*(?:\u0007|\u001b\\)/,
    /\u001b[ -/]*[0-~]?/,
    /[\0-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

/** Text without anything that a terminal would act on; LF and TAB stay. */
export function harmlessText(text: string): string {
  return text.replace(active, '')
}
