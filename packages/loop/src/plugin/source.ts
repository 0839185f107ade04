// What a plugin is made from: agents, commands and skills as Markdown files in a folder.
import { join } from 'node:path'
import { entriesIn, readIfThere } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { type MarkedText, parseFrontMatter } from './front-matter.ts'

/** One file: `name` is the file's or, of a skill, its folder's; `path` where it lies; `file` its whole text. */
export type Piece = MarkedText & { readonly name: string; readonly path: string; readonly file: string }

export type PluginSource = {
  readonly agents: readonly Piece[]
  readonly commands: readonly Piece[]
  readonly skills: readonly Piece[]
  /** The plugin that opencode loads, in JavaScript. */
  readonly shim: string
}

/** The folder that comes with loop, beside its bundles. */
export function ownSource(): string {
  return join(__dirname, '..', 'plugin')
}

/** Reads a folder of sources; what it lacks is empty. Failure `usage` for a file without front matter. */
export function readSource(folder: string): PluginSource {
  return {
    agents: markdownIn(join(folder, 'agents')).map(readPiece),
    commands: markdownIn(join(folder, 'commands')).map(readPiece),
    skills: skillsIn(join(folder, 'skills')).map(readPiece),
    shim: readIfThere(join(folder, 'opencode', 'loop.js')) ?? '',
  }
}

/** A file of a source or a plugin, before it is read. */
export type Found = Pick<Piece, 'name' | 'path'>

/** The Markdown files of a folder, by name. */
export function markdownIn(folder: string): Found[] {
  return filesIn(folder, '.md')
}

/** The files of a folder that end so, by name. */
export function filesIn(folder: string, ending: string): Found[] {
  const files = entriesIn(folder).filter((entry) => entry.isFile() && entry.name.endsWith(ending))
  return byName(files.map(({ name }) => ({ name: name.slice(0, -ending.length), path: join(folder, name) })))
}

/** The skills of a folder, by name: each is a folder with a `SKILL.md`. */
export function skillsIn(folder: string): Found[] {
  const folders = entriesIn(folder).filter((entry) => entry.isDirectory())
  return byName(folders.map(({ name }) => ({ name, path: join(folder, name, 'SKILL.md') })))
}

function byName(found: readonly Found[]): Found[] {
  return found.toSorted((left, right) => (left.name < right.name ? -1 : 1))
}

function readPiece({ name, path }: Found): Piece {
  const file = readIfThere(path) ?? ''
  const marked = parseFrontMatter(file)
  if (marked === undefined) throw withoutFields(path)
  return { name, path, file, ...marked }
}

function withoutFields(path: string): Failure {
  return new Failure('usage', `expected ${path} to begin with fields between two --- lines, got none`, {
    hint: 'loop plugin build --check DIR says what is wrong with a folder',
  })
}

/** Both; where they have one of the same name, that of `more`. */
export function mergeSources(base: PluginSource, more: PluginSource): PluginSource {
  const merged = (left: readonly Piece[], right: readonly Piece[]) => [
    ...left.filter(({ name }) => !right.some((piece) => piece.name === name)),
    ...right,
  ]
  return {
    agents: merged(base.agents, more.agents),
    commands: merged(base.commands, more.commands),
    skills: merged(base.skills, more.skills),
    shim: more.shim === '' ? base.shim : more.shim,
  }
}
