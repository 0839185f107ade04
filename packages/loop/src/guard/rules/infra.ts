// What runs elsewhere: clouds, clusters, containers, and what is published.
import { isProtected } from '../protected.ts'
import { isKnown, nameOf } from '../shell/command.ts'
import { readOptions } from '../shell/options.ts'
import { found, type Judge } from './judge.ts'

const wordsOf = (args: readonly string[]) => args.filter((arg) => !arg.startsWith('-'))

/** Whether a call only says what it would do. */
function isTrial(args: readonly string[]): boolean {
  const { flags } = readOptions(args, { long: ['dry-run', 'dryrun'] })
  return flags.has('dry-run') || flags.has('dryrun')
}

/** terraform, tofu, terragrunt, pulumi, cdk, serverless, eksctl. */
export const judgeProvision: Judge = (command) => {
  const args = command.argv.slice(1)
  const words = wordsOf(args)
  const name = nameOf(command.argv[0] ?? '')
  if (args.some((arg) => /^--?help$/.test(arg))) return []
  if (name === 'eksctl') return found(command, words[0] === 'delete' && words[1] === 'cluster' && 'infra.destroy')
  if (name === 'serverless' || name === 'sls') return found(command, words[0] === 'remove' && 'infra.destroy')
  const isDestroy =
    words[0] === 'destroy' ||
    (words[0] === 'run-all' && words[1] === 'destroy') ||
    (words[0] === 'apply' && args.some((arg) => /^--?destroy$/.test(arg)))
  return found(command, isDestroy && 'infra.destroy')
}

const bigKinds =
  /^(?:ns|namespaces?|pvc?|persistentvolumes?|persistentvolumeclaims?|nodes?|crds?|customresourcedefinitions?|all|clusterroles?|statefulsets?|sts)(?:\/|,|$)/

/** kubectl, oc, helm. */
export const judgeCluster: Judge = (command) => {
  const args = command.argv.slice(1)
  const options = readOptions(args, {
    valued: 'nlfo',
    long: [
      'namespace=',
      'context=',
      'kubeconfig=',
      'selector=',
      'filename=',
      'dry-run',
      'all',
      'all-namespaces',
      'output=',
      'cluster=',
      'grace-period=',
      'timeout=',
    ],
  })
  if (options.flags.has('dry-run')) return []
  const [verb, kind = ''] = options.operands
  if (nameOf(command.argv[0] ?? '') === 'helm')
    return found(command, /^(?:uninstall|delete|del|un)$/.test(verb ?? '') && 'infra.kubernetes')
  const isAll = options.flags.has('all') || options.flags.has('all-namespaces') || options.flags.has('A')
  return found(command, verb === 'delete' && (isAll || bigKinds.test(kind.toLowerCase())) && 'infra.kubernetes')
}

const awsLosses =
  /^(?:delete-(?:bucket|db-|table|stack|cluster|volume|snapshot|hosted-zone|user-pool|secret|repository|file-system|domain|key)|terminate-instances|schedule-key-deletion)/

/** aws, gcloud, gsutil, az, and the hosting platforms. */
export const judgeCloud: Judge = (command) => {
  const args = command.argv.slice(1)
  const words = wordsOf(args)
  const name = nameOf(command.argv[0] ?? '')
  if (isTrial(args)) return []
  if (name === 'aws') {
    const isS3 =
      words.includes('s3') &&
      ((words.includes('rm') && args.includes('--recursive')) || (words.includes('rb') && args.includes('--force')))
    return found(command, (isS3 || words.some((word) => awsLosses.test(word))) && 'infra.cloud')
  }
  if (name === 'gsutil') {
    const isAll = words[0] === 'rb' || (words[0] === 'rm' && args.some((arg) => /^-[rRa]+$/.test(arg)))
    return found(command, isAll && 'infra.cloud')
  }
  return found(
    command,
    words.some((word) =>
      /^(?:delete|destroy|(?:apps|pg|sites|hosting):(?:destroy|reset|delete|disable))$/.test(word),
    ) && 'infra.cloud',
  )
}

/** docker and podman. */
export const judgeContainers: Judge = (command) => {
  const args = command.argv.slice(1)
  const { operands, flags } = readOptions(args, {
    valued: 'H',
    long: ['context=', 'file=', 'project-name=', 'volumes', 'all', 'force', 'filter='],
  })
  const words = nameOf(command.argv[0] ?? '') === 'docker-compose' ? ['compose', ...operands] : operands
  const [first, second] = words
  const isPrune = (first === 'system' || first === 'volume') && second === 'prune'
  const isVolume = first === 'volume' && (second === 'rm' || second === 'remove')
  const isDown = first === 'compose' && words.includes('down') && (flags.has('v') || flags.has('volumes'))
  const isAll = (first === 'rm' || second === 'rm') && !words.every(isKnown)
  return found(command, (isPrune || isVolume || isDown || isAll) && 'infra.docker')
}

/** gh, npm, cargo, gem: what others have of us. */
export const judgePublished: Judge = (command, scene) => {
  const args = command.argv.slice(1)
  const words = wordsOf(args)
  if (isTrial(args)) return []
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
