import type { Scene } from '../scene/scene.ts'
import { type Command, nameOf } from '../shell/command.ts'
import { pathFrom } from '../shell/path-from.ts'
import type { PackRuleId } from '../verdict/pack-table.ts'

const deletions: ReadonlyMap<string, RegExp> = new Map([
  [
    'vault',
    /^(?:delete|(?:kv |kv metadata )(?:delete|destroy)|kv metadata delete|secrets disable|auth disable|token revoke)\b/,
  ],
  ['doppler', /^(?:secrets|projects|configs|environments) delete\b/],
  ['op', /^(?:item|vault|document|user) delete\b/],
  ['aws', /\b(?:secretsmanager delete-secret|ssm delete-parameters?)\b/],
  ['gcloud', /\bsecrets (?:versions )?(?:delete|destroy)\b/],
  ['az', /\bkeyvault (?:(?:secret|key|certificate) )?(?:delete|purge)\b/],
  ['gh', /^secret (?:delete|remove)\b/],
  ['kubectl', /^delete secrets?\b/],
])

/** Programs that take such a file without showing it. */
const discreet = new Set(
  'ls test [ [[ stat chmod chown touch mkdir ssh ssh-keygen ssh-add rm mv git cd du file find'.split(' '),
)
const sending = new Set(['curl', 'wget', 'scp', 'rsync', 'nc', 'ncat', 'netcat', 'socat', 'http', 'xh', 'sftp', 'ftp'])

const inHome =
  /^(?:\.ssh\/(?!.*\.pub$|known_hosts|config$).+|\.aws\/credentials|\.netrc|\.pypirc|\.git-credentials|\.docker\/config\.json|\.kube\/config|\.gnupg(?:\/|$).*|\.config\/gcloud\/.*|\.config\/gh\/hosts\.yml)$/

/** Whether a path is a file of secrets. */
function isSecret(path: string, { world }: Scene): boolean {
  if (/(?:^|\/)\.env(?:\.(?!(?:example|sample|template|dist|defaults)$)[\w-]+)?$/.test(path)) return true
  const home = `${world.home}/`
  return path.startsWith(home) && inHome.test(path.slice(home.length))
}

/** Secrets removed, read or sent. */
export function secrets(command: Command, scene: Scene): readonly PackRuleId[] {
  const [word = '', ...args] = command.argv
  const name = nameOf(word)
  if (command.redirects.some(({ path }) => /^\/dev\/(?:tcp|udp)\//.test(path))) return ['secrets.send']
  const isDeletion = deletions.get(name)?.test(args.filter((arg) => !arg.startsWith('-')).join(' '))
  if (isDeletion) return ['secrets.delete']
  // What cp and mv write is no secret that is read.
  const words = /^(?:cp|install|ln)$/.test(name) ? args.slice(0, -1) : args
  const named = words.some((arg) =>
    isSecret(pathFrom(command.cwd, arg.replace(/^.*@(?=[.~/\w])|^-[\w-]*=/, '')), scene),
  )
  if (!named) return []
  if (sending.has(name)) return ['secrets.send']
  return discreet.has(name) ? [] : ['secrets.read']
}
