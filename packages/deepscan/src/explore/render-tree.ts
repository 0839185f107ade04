import { counted } from '@switchyard/cli-kit/counted'
import { inRow } from '@switchyard/cli-kit/in-row'
import { childrenOf, type TreeNode } from './tree.ts'

/** The tree as lines: branches, sizes, and how many of a folder are not shown. */
export function renderTree(root: TreeNode, title: string, shown: ReadonlySet<TreeNode>, hasTokens: boolean): string {
  return [`${title} (${sizeOf(root, hasTokens)})`, ...linesBelow(root, '', shown, hasTokens)].join('\n')
}

function linesBelow(node: TreeNode, lead: string, shown: ReadonlySet<TreeNode>, hasTokens: boolean): readonly string[] {
  const children = childrenOf(node)
  const visible = children.filter((child) => shown.has(child))
  const hidden = children.length - visible.length
  const lines = visible.flatMap((child, at) => {
    const isLast = at === visible.length - 1 && hidden === 0
    const name = `${inRow(child.name)}${child.children === undefined ? '' : '/'}`
    const own = `${lead}${isLast ? '└── ' : '├── '}${name} (${sizeOf(child, hasTokens)})`
    return [own, ...linesBelow(child, `${lead}${isLast ? '    ' : '│   '}`, shown, hasTokens)]
  })
  return hidden > 0 ? [...lines, `${lead}└── … ${hidden} more`] : lines
}

function sizeOf({ files, bytes, tokens, children }: TreeNode, hasTokens: boolean): string {
  const parts = [
    ...(children === undefined ? [] : [counted(files, 'file')]),
    bytesInWords(bytes),
    ...(hasTokens ? [`${inShort(tokens)} tokens`] : []),
  ]
  return parts.join(', ')
}

/** `12 B`, `1.5 kB`, `3.0 MB`. */
export function bytesInWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  const [unit = '', size = 1] = bytes < 1e6 ? ['kB', 1e3] : bytes < 1e9 ? ['MB', 1e6] : ['GB', 1e9]
  return `${(bytes / size).toFixed(1)} ${unit}`
}

/** `950`, `12k`, `1.3m`. */
export function inShort(count: number): string {
  if (count < 1_000) return String(count)
  return count < 1_000_000 ? `${Math.round(count / 1_000)}k` : `${(count / 1_000_000).toFixed(1)}m`
}
