import { isProtected } from '../scene/protected.ts'
import { nameOf } from '../shell/command.ts'
import { readOptions } from '../shell/options.ts'
import { found, type Judge } from './judge.ts'

/** gh, npm, cargo, gem: what others have of us. */
export const judgePublished: Judge = (command, scene) => {
  const args = command.argv.slice(1)
  const words = args.filter((arg) => !arg.startsWith('-'))
  const { flags } = readOptions(args, { long: ['dry-run', 'dryrun'] })
  if (flags.has('dry-run') || flags.has('dryrun')) return []
  if (nameOf(command.argv[0] ?? '') !== 'gh')
    return found(command, /^(?:npm )?(?:unpublish|yank)\b/.test(words.join(' ')) && 'publish.delete')
  const line = words.join(' ')
  if (/^(?:repo|release) delete/.test(line)) return found(command, 'publish.delete')
  if (words[0] !== 'api') return []
  const method = /(?:^| )(?:-X|--method)[ =]?([a-z]+)/i.exec(args.join(' '))?.[1]?.toUpperCase()
  const path = words.find((word) => word.includes('repos/')) ?? ''
  const branch = /\/git\/refs\/heads\/([^?]+)/.exec(path)?.[1]
  if (branch !== undefined && isProtected(branch, scene)) {
    return found(
      command,
      method === 'DELETE'
        ? 'git.push-delete'
        : method === 'PATCH' && /force=true/.test(args.join(' ')) && 'git.force-push',
    )
  }
  return found(command, method === 'DELETE' && /^\/?repos\/[^/]+\/[^/]+\/?$/.test(path) && 'publish.delete')
}
