// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the cases are source text
import type { RuleCases } from './case.ts'

export const bashCases: Readonly<Record<string, RuleCases>> = {
  'bash/remove-from-root': {
    mended: [
      ['rm -rf "$dir/"\n', 'rm -rf "${dir:?}/"\n'],
      ['rm -rf "$dir"/*\n', 'rm -rf "${dir:?}"/*\n'],
      ['rm -fr ${dir}/*\n', 'rm -fr ${dir:?}/*\n'],
    ],
    clean: [
      'rm -rf "$dir"\n',
      'rm -rf "$dir/cache"\n',
      'rm "$dir/"\n',
      'rm -rf "${dir:?}/"\n',
      'rm -rf "${dir:-x}/"\n',
    ],
  },
}
