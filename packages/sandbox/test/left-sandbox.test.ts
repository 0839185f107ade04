import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, tempFolder, tempRepo } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { clearLeft, noteNested, sandboxPrefix } from '../src/left-sandbox.ts'
import { findNestedGit } from '../src/nested-git.ts'

/** A working tree with one repository in it that was there, and one that a command made whose caller was killed. */
async function left() {
  const workTree = tempRepo()
  const folder = tempFolder('run')
  const made = join(folder, `${sandboxPrefix}x`)
  mkdirSync(made)
  git(workTree, 'init', '--quiet', 'vendor')
  noteNested(made, workTree, await findNestedGit(workTree, process.env))
  git(workTree, 'init', '--quiet', 'planted')
  return { workTree, folder, made, at: (path: string) => join(workTree, path) }
}

it('takes away the repositories that a killed call left, and no other, as often as it is asked', async () => {
  const { folder, at } = await left()
  for (let round = 0; round < 2; round++) {
    expect(await clearLeft(folder, process.env, () => false)).toEqual([])
    expect([existsSync(at('planted/.git')), existsSync(at('vendor/.git'))]).toEqual([false, true])
  }
})

it('keeps them as plain folders where that is asked', async () => {
  const { folder, at, workTree } = await left()
  expect(await clearLeft(folder, process.env, (tree) => tree === workTree)).toEqual([at('planted/git-from-sandbox')])
  expect(existsSync(at('planted/git-from-sandbox/HEAD'))).toBe(true)
})

it('leaves a working tree alone of which nothing was noted, or that is gone', async () => {
  const { folder, made, at, workTree } = await left()
  const note = join(made, 'nested.json')
  const text = readFileSync(note, 'utf8')
  writeFileSync(note, text.replace(workTree, `${workTree}-gone`))
  expect(await clearLeft(folder, process.env, () => false)).toEqual([])
  expect(await clearLeft(tempFolder('run'), process.env, () => false)).toEqual([])
  expect(existsSync(at('planted/.git'))).toBe(true)
})
