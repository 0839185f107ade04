import type { Node } from '../syntax/parser.ts'

/** More imports than this are not shown. */
const importUnitsMax = 1_500

const importKind = /^(?:import_|package_|use_declaration|using_directive|preproc_include|namespace_use|future_import)/
const importLine = /^(?:(?:const|let|var)\s[^=]*=\s*require\(|require(?:_relative)?\b|source\s|\.\s)/

/** The imports at the top level of a file, one a line. */
export function importsOf(root: Node): string {
  const found: string[] = []
  let units = 0
  for (const node of root.children()) {
    if (!importKind.test(String(node.kind())) && !importLine.test(node.text().slice(0, 200))) continue
    const line = node.text().replace(/\s+/g, ' ').trim()
    units += line.length + 1
    if (units > importUnitsMax) return [...found, '…'].join('\n')
    found.push(line)
  }
  return found.join('\n')
}
