// `tissue board --html`: the page on stdout, or in a file.

import { basename, resolve, sep } from 'node:path'
import type { Context } from '@switchyard/cli-kit'
import { statAt } from '@switchyard/ground/at-path'
import { Failure } from '@switchyard/ground/failure'
import { ulid } from '@switchyard/ground/ulid'
import { writeWhole } from '@switchyard/ground/whole-file'
import type { Page } from '../schema/graph-schemas.ts'
import { look, type StoreScene } from '../session/session.ts'
import { orRefused } from '../text/refusal.ts'
import { boardPage } from './page.ts'

/**
 * Writes the page to stdout, or whole or not at all to the file that `out` names, whose path it then prints. Exits 2
 * where a folder is, and inside the store.
 */
export function printPage(scene: StoreScene & Pick<Context, 'cwd'>, out: string | undefined): undefined {
  const { store, ledger } = look(scene)
  const now = scene.now()
  const page = boardPage(ledger, { name: basename(store.root), now })
  if (out === undefined) {
    const { mode } = scene.output
    if (mode === 'json' || mode === 'jsonl')
      throw new Failure('usage', `expected one form of output, got --html and --${mode}`, {
        hint: 'or give it a file: -o',
      })
    for (const piece of page) scene.output.raw(piece)
    return undefined
  }
  const path = resolve(scene.cwd, out)
  if (path === store.path || path.startsWith(store.path + sep))
    throw new Failure('usage', `expected a file outside the store, got ${path}`)
  orRefused(path, () => {
    if (statAt(path)?.isDirectory()) throw new Failure('usage', `expected the name of a file, got the folder ${path}`)
    writeWhole(path, `${path}.${ulid(now)}.draft`, [...page].join(''))
  })
  scene.output.one<Page>({ v: 1, path }, { text: () => path, id: () => path })
  return undefined
}
