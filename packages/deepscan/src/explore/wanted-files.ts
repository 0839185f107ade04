import { nearest } from '@switchyard/cli-kit/nearest'
import { Failure } from '@switchyard/ground/failure'
import { type FileLanguage, fileLanguages, languageOf } from '../syntax/language.ts'
import { narrowed } from '../walk/narrow.ts'
import { type Origin, type WalkedFile, walkFiles } from '../walk/walk-files.ts'

/** Which files a verb looks at: those below the paths that git does not ignore, of these globs and kinds. */
export type Wanted = {
  paths: readonly string[]
  globs: readonly string[]
  types: readonly string[]
  gitignore: boolean
}

/** The files, by their paths; `skip` says why one is left out that the globs and kinds would take in. */
export function* wantedFiles({ paths, globs, types, gitignore }: Wanted, origin: Origin): Generator<WalkedFile> {
  const languages = new Set(types.flatMap(languagesNamed))
  const include = globs.filter((glob) => !glob.startsWith('!'))
  const exclude = globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1))
  const walked = walkFiles(paths.length > 0 ? paths : ['.'], { ...origin, gitignore })
  for (const file of narrowed(walked, { include, exclude })) {
    if (file.skip === 'excluded') continue
    const language = languages.size > 0 && !file.path.endsWith('/') ? languageOf(file.path) : undefined
    if (languages.size === 0 || (language !== undefined && languages.has(language))) yield file
  }
}

const short: ReadonlyMap<string, readonly FileLanguage[]> = new Map([
  ['ts', ['typescript', 'tsx']],
  ['typescript', ['typescript', 'tsx']],
  ['js', ['javascript']],
  ['py', ['python']],
  ['rs', ['rust']],
  ['cs', ['csharp']],
  ['rb', ['ruby']],
  ['sh', ['bash']],
  ['md', ['markdown']],
  ['yml', ['yaml']],
  ['c++', ['cpp']],
])

function languagesNamed(name: string): readonly FileLanguage[] {
  const known = fileLanguages.find((language) => language === name)
  const languages = short.get(name) ?? (known === undefined ? [] : [known])
  if (languages.length > 0) return languages
  const meant = nearest(name, [...fileLanguages, ...short.keys()])
  const hint =
    meant === undefined ? `it may be ${fileLanguages.slice(0, 6).join(', ')} or others` : `did you mean ${meant}?`
  throw new Failure('usage', `expected a language after --type, got ${name}`, { hint })
}
