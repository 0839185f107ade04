import type { Redirection } from 'unbash'
import { hole, type Redirect } from './command.ts'
import { pathFrom } from './path-from.ts'
import type { Shell } from './reading.ts'
import { type RunScript, textsOf } from './words.ts'

export type ReadRedirects = { readonly redirects: readonly Redirect[]; readonly input: string | undefined }

/** Where a command's output goes, and what it reads where the text tells. */
export function readRedirects(nodes: readonly Redirection[], shell: Shell, run: RunScript): ReadRedirects {
  const redirects: Redirect[] = []
  let input: string | undefined
  for (const node of nodes) {
    if (node.type === 'HereDoc') {
      const { text, parts, pos, end } = node.body
      const body = {
        type: 'Word',
        text: '',
        value: text,
        pos,
        end,
        parts: node.delimiter?.quoted ? undefined : parts,
      } as const
      input = textsOf(body, shell, run)[0]
    } else if (node.target !== undefined) {
      const targets = textsOf(node.target, shell, run)
      if (node.type === 'HereString') input = `${targets.join(' ')}\n`
      else if (node.operator === '<') input = shell.reading.files.get(pathFrom(shell.cwd, targets[0] ?? '')) ?? hole
      else if (!/^[<>]&$/.test(node.operator) || !/^(?:\d+-?|-)$/.test(targets[0] ?? '')) {
        const isError = node.descriptor?.type === 'FileDescriptor' && node.descriptor.value > 1
        const operator = isError ? `2${node.operator}` : node.operator
        for (const target of targets) redirects.push({ operator, path: pathFrom(shell.cwd, target) })
      }
    }
  }
  return { redirects, input }
}

/** What is printed goes into a file of the command line instead, when it says so; the rest is returned. */
export function redirected(printed: string, redirects: ReadRedirects['redirects'], { reading }: Shell): string {
  const out = redirects.find(({ operator }) => /^(?:&?>>?|>\||>&)$/.test(operator))
  if (out === undefined) return printed
  const before = out.operator.endsWith('>>') ? (reading.files.get(out.path) ?? '') : ''
  reading.files.set(out.path, before + printed)
  return ''
}
