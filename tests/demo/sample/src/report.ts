export type Writer = { write(line: string): Promise<void> }

/** Writes a line for each total, in order, and then the end mark. */
export async function writeReport(sums: Record<string, number>, writer: Writer): Promise<void> {
  const names: string[] = Object.keys(sums).sort()
  names.forEach(async (name) => {
    await writer.write(`${name} ${sums[name]}`)
  })
  await writer.write('end')
}
