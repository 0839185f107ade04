// Which tissue a shell would run, without running it.
import { dirname, join } from 'node:path'
import { readIfThere, realPathIfThere } from '@switchyard/ground/disk'
import { type Finding, ok, warn } from '@switchyard/topic/examine/finding'

/** Compares the first `tissue` on the PATH with this one's `version`. */
export function examineProgram(env: Readonly<Record<string, string | undefined>>, version: string): Finding {
  const found = (env['PATH'] ?? '').split(':').flatMap((folder) => realPathIfThere(join(folder, 'tissue')) ?? [])[0]
  if (found === undefined)
    return warn('program', 'no tissue is on the PATH', 'npm install --global @switchyard/tissue, for agents and hooks')
  const other = versionOf(found)
  if (other === version) return ok('program', `tissue ${version}, also on the PATH`)
  const which = other === undefined ? 'is another program' : `is version ${other}, this is ${version}`
  return warn('program', `${found}, which a shell would run, ${which}`, 'put this one first on the PATH')
}

/** The version of the package of this tool that a file belongs to; undefined when it belongs to none. */
function versionOf(file: string): string | undefined {
  const manifest = readIfThere(join(dirname(file), '..', 'package.json'))
  if (manifest === undefined) return undefined
  const name = /"name":\s*"([^"]+)"/.exec(manifest)?.[1]
  return name === '@switchyard/tissue' ? /"version":\s*"([^"]+)"/.exec(manifest)?.[1] : undefined
}
