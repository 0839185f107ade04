import { linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { orRefused } from '@switchyard/ground/disk'
import { Failure, systemCode } from '@switchyard/ground/failure'
import { ownFolder } from '../record/own-folder.ts'
import { configName } from './config-text.ts'
import type { Detected } from './detect.ts'

/** What `loop init` writes: only what is known, so that everything else stays as it is by default. */
export function renderConfig({ verify, setup }: Detected, copy: readonly string[]): string {
  const worktree = {
    ...(setup.length === 0 ? {} : { setup: oneOrMany(setup) }),
    ...(copy.length === 0 ? {} : { copy }),
  }
  const config = {
    v: 1,
    ...(verify.length === 0 ? {} : { verify: oneOrMany(verify) }),
    ...(Object.keys(worktree).length === 0 ? {} : { worktree }),
  }
  return `${JSON.stringify(config, undefined, 2)}\n`
}

const oneOrMany = (lines: readonly string[]) => (lines.length === 1 ? lines[0] : lines)

/** Writes it where none is, whole or not at all. Failure `conflict` when another was first. */
export function writeConfig(root: string, text: string, draftName: string): string {
  const path = join(root, configName)
  const draft = join(root, draftName)
  return orRefused(`${path} was to be written`, () => {
    writeFileSync(draft, text, { flush: true, flag: 'wx' })
    try {
      linkSync(draft, path)
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error
      throw new Failure('conflict', `${path} is there already`, { hint: 'edit it', retryable: false })
    } finally {
      rmSync(draft, { force: true })
    }
    return path
  })
}

/** The folder of loop beside the repository's objects: where it is, hooks leave a mark of their last call. */
export function makeLoopFolder(commonDir: string): void {
  const folder = ownFolder(commonDir)
  orRefused(`${folder} was to be made`, () => mkdirSync(folder, { recursive: true }))
}
