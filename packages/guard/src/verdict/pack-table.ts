// The rules of the packs: an id begins with the name of its pack.

import type { PackName } from './pack-names.ts'
import type { Rule } from './rule-table.ts'
import type { Decision } from './verdict.ts'

const deny = (what: string, reason: string): Rule => ({ decision: 'deny', what, reason })
const ask = (what: string, reason: string): Rule => ({ decision: 'ask', what, reason })

export const packTable = {
  'strict-git.amend': ask('commit --amend', 'this rewrites a commit; make a new one'),
  'strict-git.reset': ask(
    'reset --merge, reset --keep',
    'this moves the branch and what is staged; name a commit to revert',
  ),
  'strict-git.push-base': deny('a push to a protected branch', 'push a branch of your own, and let it be merged'),
  'strict-git.branch-force': ask(
    'any branch set elsewhere or written over: branch -f, -M, -C, checkout -B, switch -C',
    'what only that branch held would be lost; take another name',
  ),
  'strict-git.tag': ask('tag -d, tag -f', 'others may have this tag; make a new one'),
  'secrets.delete': deny(
    'secrets removed from vault, doppler, op, aws, gcloud, az, gh or kubectl',
    'these secrets cannot be had back; ask the person',
  ),
  'secrets.read': ask(
    'a file of secrets read: .env, ~/.ssh, ~/.aws/credentials, ~/.netrc and their like',
    'what is printed is kept in transcripts; say which value is needed, and why',
  ),
  'secrets.send': deny(
    'a file of secrets sent elsewhere, or a shell joined to a socket: curl -d @.env, scp, /dev/tcp',
    'this lets secrets out of the machine; ask the person',
  ),
  'data.storage': deny(
    'stored objects removed: s3 sync --delete, s3api delete-objects, delete-batch, azcopy, gsutil rsync -d, rclone',
    'this data cannot be had back; show what would go (--dryrun), and ask the person',
  ),
  'data.backup': deny('backups removed: restic forget, borg delete, prune', 'a backup is what lost data is found by'),
  'data.search': deny('an index removed by HTTP: curl -X DELETE', 'its data would be lost; ask the person'),
  'data.topics': deny('topics removed: Kafka, Pub/Sub', 'what waits in it would be lost; ask the person'),
  'data.logs': ask('logs of a cloud removed', 'they may be all that tells what happened; ask the person'),
  'system.open': ask(
    'chmod 777, or a+w with all below',
    'anyone may write there then; give the rights that are needed',
  ),
  'system.crontab': deny('crontab -r', 'all jobs of this user would be gone; `crontab -e` changes one'),
  'system.service': ask('systemctl disable, mask or stop', 'others may need this service; ask the person'),
  'system.firewall': ask('iptables -F, ufw disable, nft flush', 'the machine would be open; ask the person'),
  'system.packages': ask(
    'pip --break-system-packages, pip or npm -g by sudo',
    'this changes what the system stands on; use an environment of the project',
  ),
} as const satisfies Readonly<Record<string, Rule>>

export type PackRuleId = keyof typeof packTable

/** The pack a rule belongs to. */
export const packOf = (id: string) => id.slice(0, id.indexOf('.'))

/** What strict-git makes of rules that always hold. */
const strict: ReadonlyMap<string, Decision> = new Map([
  ['git.discard-file', 'ask'],
  ['git.discard-folder', 'deny'],
  ['git.no-verify', 'deny'],
  ['git.push-delete-branch', 'deny'],
])

/** What a pack decides about a rule that always holds. */
export function raisedBy(packs: readonly PackName[], rule: string): Decision | undefined {
  return packs.includes('strict-git') ? strict.get(rule) : undefined
}
