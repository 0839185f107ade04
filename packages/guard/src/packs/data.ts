import { type Command, nameOf } from '../shell/command.ts'
import { readOptions } from '../shell/options.ts'
import type { PackRuleId } from '../verdict/pack-table.ts'

type Loss = { readonly rule: PackRuleId; readonly words: RegExp; readonly flags?: RegExp }

const losses: ReadonlyMap<string, readonly Loss[]> = new Map([
  [
    'aws',
    [
      { rule: 'data.storage', words: /\bs3 sync\b/, flags: /^--delete$/ },
      { rule: 'data.storage', words: /\bs3api (?:delete-objects?|delete-bucket)\b/ },
      { rule: 'data.logs', words: /\b(?:logs delete-log-(?:group|stream)|cloudtrail delete-trail)\b/ },
    ],
  ],
  ['az', [{ rule: 'data.storage', words: /\bstorage \w+ delete-batch\b/ }]],
  [
    'gcloud',
    [
      { rule: 'data.topics', words: /\bpubsub (?:topics|subscriptions) delete\b/ },
      { rule: 'data.logs', words: /\blogging logs delete\b/ },
      { rule: 'data.storage', words: /\bstorage (?:rm|rsync)\b/, flags: /^(?:-r|--recursive|--delete-\S+)$/ },
    ],
  ],
  ['gsutil', [{ rule: 'data.storage', words: /\brsync\b/, flags: /^-[a-zA-Z]*d/ }]],
  [
    'azcopy',
    [
      { rule: 'data.storage', words: /^(?:remove|rm)\b/ },
      { rule: 'data.storage', words: /^sync\b/, flags: /^--delete-destination(?:=true)?$/ },
    ],
  ],
  ['rclone', [{ rule: 'data.storage', words: /^(?:delete|purge|sync|rmdirs|cleanup)\b/ }]],
  ['restic', [{ rule: 'data.backup', words: /\b(?:forget|prune)\b/ }]],
  ['borg', [{ rule: 'data.backup', words: /\b(?:delete|prune)\b/ }]],
  ['kopia', [{ rule: 'data.backup', words: /\bsnapshot (?:delete|expire)\b/ }]],
  ['rabbitmqadmin', [{ rule: 'data.topics', words: /\b(?:delete|purge) queue\b/ }]],
])

/** Data that is stored elsewhere, removed. */
export function data({ argv }: Command): readonly PackRuleId[] {
  const [word = '', ...args] = argv
  const name = nameOf(word)
  const { flags } = readOptions(args, { valued: 'X', long: ['dry-run', 'dryrun', 'request='] })
  if (flags.has('dry-run') || flags.has('dryrun')) return []
  if (/^kafka-topics(?:\.sh)?$/.test(name)) return args.includes('--delete') ? ['data.topics'] : []
  if (name === 'curl') return isDeletedIndex(args) ? ['data.search'] : []
  const line = args.filter((arg) => !arg.startsWith('-')).join(' ')
  const met = losses
    .get(name)
    ?.filter(
      ({ words, flags: wanted }) => words.test(line) && (wanted === undefined || args.some((arg) => wanted.test(arg))),
    )
  return [...new Set(met?.map(({ rule }) => rule))]
}

/** `curl -X DELETE host:9200/index`: of a search server, or of everything. */
function isDeletedIndex(args: readonly string[]): boolean {
  const { values } = readOptions(args, { valued: 'XHduoT', long: ['request=', 'header=', 'data=', 'url='] })
  const method = (values.get('X') ?? values.get('request'))?.[0]?.toUpperCase()
  return (
    method === 'DELETE' &&
    args.some((arg) => /:9[23]00\/|elastic|opensearch|\/_all\b|\/_(?:bulk|delete_by_query)\b/.test(arg))
  )
}
