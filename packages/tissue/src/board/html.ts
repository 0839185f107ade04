// `tissue board --html`: the page on stdout, or in a file.

import { basename } from 'node:path'
import type { Context } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { outFile, writeOut } from '@switchyard/topic/out-file'
import type { Page } from '../schema/graph-schemas.ts'
import { look, type StoreScene } from '../session/session.ts'
import { boardPage } from './page.ts'

/**
 * Writes the page to stdout, or whole or not at all to the file that `out` names, whose path it then prints. Exits 2
 * where a folder or a device is, and inside the store.
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
  const path = outFile(store, scene.cwd, out)
  writeOut(path, page, now)
  scene.output.one<Page>({ v: 1, path }, { text: () => path, id: () => path })
  return undefined
}
