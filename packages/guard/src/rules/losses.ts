// What runs elsewhere, and is lost there: clouds, clusters, and what is provisioned in them.

import { type Command, nameOf } from '../shell/command.ts'
import { type OptionSpec, readOptions } from '../shell/options.ts'
import type { RuleId } from '../verdict/rule-table.ts'
import { foundAny, type Judge } from './judge.ts'

/** A call that loses something: all that it names must hold. */
type Loss = {
  readonly rule: RuleId
  /** How the words begin, without options and their values. */
  readonly begins?: RegExp
  /** Words that all are there, in any place. */
  readonly has?: readonly string[]
  /** A word that is there, in any place. */
  readonly word?: RegExp
  /** An argument as it is written. */
  readonly arg?: RegExp
  /** An option, by its letter or name. */
  readonly option?: readonly string[]
}

type Program = {
  readonly names: string
  readonly options?: OptionSpec
  /** It has a `--dry-run`, which loses nothing; others may pass over an option that they do not know. */
  readonly hasTrial?: true
  readonly losses: readonly Loss[]
}

const kubectlOptions: OptionSpec = {
  valued: 'nlfo',
  long: `namespace= context= kubeconfig= selector= filename= dry-run all all-namespaces output= cluster= grace-period=
    timeout=`.split(/\s+/),
}

const bigKinds =
  /^delete (?:ns|namespaces?|pvc?|persistentvolumes?|persistentvolumeclaims?|nodes?|crds?|customresourcedefinitions?|all|clusterroles?|statefulsets?|sts)(?:[/, ]|$)/i

const awsLosses =
  /^(?:delete-(?:bucket|db-|table|stack|cluster|volume|snapshot|hosted-zone|user-pool|secret|repository|file-system|domain|key)|terminate-instances|schedule-key-deletion)/

const destroy: readonly Loss[] = [
  { rule: 'infra.destroy', begins: /^(?:run-all )?destroy(?: |$)/ },
  { rule: 'infra.destroy', begins: /^apply(?: |$)/, arg: /^--?destroy$/ },
]

const programs: readonly Program[] = [
  { names: 'terraform tofu terragrunt pulumi cdk', losses: destroy },
  { names: 'serverless sls', losses: [{ rule: 'infra.destroy', begins: /^remove(?: |$)/ }] },
  { names: 'eksctl', losses: [{ rule: 'infra.destroy', begins: /^delete cluster(?: |$)/ }] },
  {
    names: 'kubectl oc',
    options: kubectlOptions,
    hasTrial: true,
    losses: [
      { rule: 'infra.kubernetes', begins: bigKinds },
      { rule: 'infra.kubernetes', begins: /^delete(?: |$)/, option: ['all', 'all-namespaces', 'A'] },
    ],
  },
  {
    names: 'helm',
    options: kubectlOptions,
    hasTrial: true,
    losses: [{ rule: 'infra.kubernetes', begins: /^(?:uninstall|delete|del|un)(?: |$)/ }],
  },
  {
    names: 'aws',
    hasTrial: true,
    losses: [
      { rule: 'infra.cloud', has: ['s3', 'rm'], arg: /^--recursive$/ },
      { rule: 'infra.cloud', has: ['s3', 'rb'], arg: /^--force$/ },
      { rule: 'infra.cloud', word: awsLosses },
    ],
  },
  {
    names: 'gsutil',
    hasTrial: true,
    losses: [
      { rule: 'infra.cloud', begins: /^rb(?: |$)/ },
      { rule: 'infra.cloud', begins: /^rm(?: |$)/, arg: /^-[rRa]+$/ },
    ],
  },
  {
    names: 'gcloud az doctl heroku fly flyctl netlify firebase wrangler',
    hasTrial: true,
    losses: [
      {
        rule: 'infra.cloud',
        word: /^(?:delete|destroy|(?:apps|pg|sites|hosting):(?:destroy|reset|delete|disable))$/,
      },
    ],
  },
]

const byName = new Map(programs.flatMap((program) => program.names.split(' ').map((name) => [name, program] as const)))

/** What is lost elsewhere by a call that does more than say what it would do. */
export const judgeLosses: Judge = (command) => {
  const [word = '', ...args] = command.argv
  const program = byName.get(nameOf(word))
  if (program === undefined || (program.hasTrial && isTrial(args)) || args.some(isHelp)) return []
  return foundAny(
    command,
    program.losses.filter((loss) => isMet(loss, command, program)).map(({ rule }) => rule),
  )
}

function isTrial(args: readonly string[]): boolean {
  const { flags } = readOptions(args, { long: ['dry-run', 'dryrun'] })
  return flags.has('dry-run') || flags.has('dryrun')
}

const isHelp = (arg: string) => /^--?help$/.test(arg)

function isMet(loss: Loss, { argv }: Command, { options }: Program): boolean {
  const [, ...args] = argv
  const { flags, operands } = readOptions(args, options)
  const words = options === undefined ? args.filter((arg) => !arg.startsWith('-')) : operands
  const { begins, has = [], word, arg, option } = loss
  return (
    (begins === undefined || begins.test(words.join(' '))) &&
    has.every((one) => words.includes(one)) &&
    (word === undefined || words.some((one) => word.test(one))) &&
    (arg === undefined || args.some((one) => arg.test(one))) &&
    (option === undefined || option.some((one) => flags.has(one)))
  )
}
