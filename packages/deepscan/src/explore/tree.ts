import * as z from 'zod'

const count = z.number().int().min(0)

/** A file or folder, as `deepscan tree --json` prints it; of a folder the sums of all that is taken in below it. */
export const treeEntrySchema = z.object({
  v: z.literal(1),
  type: z.literal('tree_entry'),
  path: z.string().describe('From the folder that was asked for, with slashes; that of a folder ends in one'),
  depth: z.number().int().min(1),
  files: count,
  bytes: count,
  tokens: count.nullable().describe('Estimated; null without --tokens'),
})
export type TreeEntry = z.infer<typeof treeEntrySchema>

/** A file's path and what it adds to the folders above it. */
export type Leaf = { path: string; bytes: number; tokens: number }

export type TreeNode = {
  name: string
  files: number
  bytes: number
  tokens: number
  /** Undefined for a file; those of a folder at the lowest level are not kept. */
  children: Map<string, TreeNode> | undefined
}

const folder = (name: string): TreeNode => ({ name, files: 0, bytes: 0, tokens: 0, children: new Map() })

/** Folders and files down to `depth` levels; what lies below adds to the sums. Memory grows with those levels only. */
export function buildTree(leaves: Iterable<Leaf>, depth: number): TreeNode {
  const root = folder('')
  for (const leaf of leaves) {
    const parts = leaf.path.split('/')
    let node = root
    add(node, leaf)
    for (const [at, name] of parts.slice(0, depth).entries()) {
      const isFile = at === parts.length - 1
      const child = node.children?.get(name) ?? { ...folder(name), ...(isFile ? { children: undefined } : {}) }
      node.children?.set(name, child)
      add(child, leaf)
      node = child
    }
  }
  return root
}

function add(node: TreeNode, { bytes, tokens }: Leaf): void {
  node.files += 1
  node.bytes += bytes
  node.tokens += tokens
}

/** Folders first, then by name. */
export function childrenOf({ children }: TreeNode): readonly TreeNode[] {
  const rank = (node: TreeNode) => (node.children === undefined ? 1 : 0)
  return [...(children?.values() ?? [])].sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1))
}

/** The first `limit` nodes, level by level, so that a large folder hides no other. */
export function firstNodes(root: TreeNode, limit: number): ReadonlySet<TreeNode> {
  const shown = new Set<TreeNode>()
  for (let level: readonly TreeNode[] = [root]; level.length > 0; level = level.flatMap(childrenOf)) {
    for (const child of level.flatMap(childrenOf)) {
      if (shown.size === limit) return shown
      shown.add(child)
    }
  }
  return shown
}

/** The shown nodes as records, each folder before what is in it. */
export function* treeEntries(root: TreeNode, shown: ReadonlySet<TreeNode>, hasTokens: boolean): Generator<TreeEntry> {
  yield* entriesBelow(root, '', 1)
  function* entriesBelow(node: TreeNode, above: string, depth: number): Generator<TreeEntry> {
    for (const child of childrenOf(node).filter((one) => shown.has(one))) {
      const path = `${above}${child.name}${child.children === undefined ? '' : '/'}`
      const { files, bytes, tokens } = child
      yield { v: 1, type: 'tree_entry', path, depth, files, bytes, tokens: hasTokens ? tokens : null }
      yield* entriesBelow(child, path, depth + 1)
    }
  }
}
