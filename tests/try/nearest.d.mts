export function nearestTests(
  files: readonly { readonly path: string; readonly text: string }[],
  changed: readonly string[],
): string[]
