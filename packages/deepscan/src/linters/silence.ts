/** Says whether a `deepscan-ignore` comment keeps a linter's finding of the rule on the line back. */
export function silencedLines(lines: readonly string[]): (line: number, rule: string) => boolean {
  const named = new Map<number, string[]>()
  for (const [index, line] of lines.entries()) {
    const [, before = '', list = ''] =
      /^(.*?)(?:\/\/|\/\*|#).*?deepscan-ignore(?![\w-])[:\s]*((?:[a-z]+\/[\w/-]+[,\s]*)*)/.exec(line) ?? []
    if (!line.includes('deepscan-ignore')) continue
    const rules = list.split(/[,\s]+/).filter(Boolean)
    const covered = before.trim() === '' ? [index + 1, index + 2] : [index + 1]
    for (const at of covered) named.set(at, [...(named.get(at) ?? []), ...(rules.length > 0 ? rules : ['*'])])
  }
  return (line, rule) => named.get(line)?.some((name) => name === '*' || name === rule) ?? false
}
