import { defineVerb } from '@switchyard/cli-kit'
import { insideRoot } from '../explore/inside.ts'
import { leavesOf } from '../explore/leaves.ts'
import { renderTree } from '../explore/render-tree.ts'
import { buildTree, firstNodes, treeEntries } from '../explore/tree.ts'
import { openScan } from '../store/open-scan.ts'
import { estimateTokens } from '../tokens/estimate-tokens.ts'
import { rootOfPath, walkFiles } from '../walk/walk-files.ts'

/** `deepscan tree [PATH]`: the folders and files that git does not ignore, with their sizes. */
export const tree = defineVerb({
  summary: 'Show folders and files with their sizes',
  args: [{ name: 'path', summary: 'A folder of the project (the working folder)', optional: true }],
  flags: {
    depth: { type: 'integer', value: 'N', min: 1, max: 100, default: 3, summary: 'So many levels' },
    limit: { type: 'integer', value: 'N', min: 1, max: 1_000_000, default: 50, summary: 'So many files and folders' },
    tokens: { type: 'boolean', summary: 'Estimate how many tokens they have' },
    'exact-tokens': { type: 'boolean', summary: 'Count tokens of o200k instead, which is slow' },
    'no-gitignore': { type: 'boolean', summary: 'Show what git ignores, too' },
    session: { type: 'string', value: 'ID', summary: 'The root of this scan instead of the working folder' },
  },
  examples: ['deepscan tree', 'deepscan tree src --depth 1 --tokens', 'deepscan tree --limit 1000 --jsonl'],
  async run({ args, flags, cwd, env, output }) {
    const home = env['HOME']
    const scanRoot = flags.session === undefined ? undefined : openScan(env, cwd, flags.session).scan.root
    const named = args.path ?? (scanRoot === undefined ? '.' : scanRoot)
    const { absolute, path } = insideRoot(scanRoot ?? rootOfPath('.', { cwd, home }), cwd, named)
    const hasTokens = flags.tokens || flags['exact-tokens']
    const count = flags['exact-tokens'] ? (await import('../tokens/exact.ts')).countTokens : estimateTokens
    const skipped = new Map<string, number>()
    const walked = walkFiles([absolute], { cwd, home, gitignore: !flags['no-gitignore'] })
    const root = buildTree(leavesOf(walked, hasTokens ? count : undefined, skipped), flags.depth)
    const shown = firstNodes(root, flags.limit)
    if (output.mode === 'text')
      output.one(root, { text: () => renderTree(root, `${path || '.'}/`, shown, hasTokens), id: () => '' })
    else output.list([...treeEntries(root, shown, hasTokens)], { text: () => '', id: (entry) => entry.path })
    if (skipped.size > 0) output.note(`left out: ${[...skipped].map(([why, number]) => `${number} ${why}`).join(', ')}`)
  },
})
