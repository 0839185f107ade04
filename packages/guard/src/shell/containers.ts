// Commands run in containers: on another machine as far as files go, but for what is mounted from this one.
import type { Call } from './call.ts'
import { hole } from './command.ts'
import type { Inner } from './inner.ts'
import { readOptions } from './options.ts'

const long = `env= user= workdir= name= network= entrypoint= mount= volume= platform= add-host= cpus= memory= publish=
  label= hostname= pull= restart= env-file= volumes-from= cap-add= cap-drop= device= dns= gpus= ipc= pid= shm-size=
  tmpfs= ulimit= userns= security-opt= log-driver= cidfile= init rm detach interactive tty privileged read-only`

/** `docker exec NAME CMD`, `docker run IMAGE CMD`, `kubectl exec POD -- CMD`. */
export function unwrapContainer({ name, args }: Call): Inner[] {
  const isCompose = name === 'docker-compose' || args[0] === 'compose'
  const at = args.findIndex((arg) => arg === 'exec' || arg === 'run')
  if (at < 0) return []
  const { operands, values } = readOptions(args.slice(at + 1), {
    valued: name === 'kubectl' ? 'nc' : 'euwvplhmc',
    long: long.split(/\s+/),
    stopsAtOperand: true,
  })
  const words = operands.slice(1).filter((word, index) => index > 0 || word !== '--')
  if (words.length === 0) return []
  const via = [`${name} ${args[at]}`]
  const mounts = mountsOf(values)
  // What a new container loses is nobody's, but for what is mounted.
  if (args[at] === 'run' && !isCompose) return mounts.length === 0 ? [] : mounted(words, mounts, values, via)
  return [{ argv: words, via, remote: true, cwd: hole }]
}

type Mount = { readonly from: string; readonly to: string }

/** `-v FROM:TO`, `--mount type=bind,source=FROM,target=TO`. */
function mountsOf(values: ReadonlyMap<string, readonly string[]>): readonly Mount[] {
  const short = [...(values.get('v') ?? []), ...(values.get('volume') ?? [])].map((text) => text.split(':'))
  const named = (values.get('mount') ?? []).map((text) => {
    const fields = new Map(
      text.split(',').map((field) => [field.split('=')[0] ?? '', field.slice(field.indexOf('=') + 1)]),
    )
    return [fields.get('source') ?? fields.get('src') ?? '', fields.get('target') ?? fields.get('dst') ?? '']
  })
  return [...short, ...named].flatMap(([from = '', to = '']) =>
    /^[/.\0]/.test(from) && to !== '' ? [{ from, to }] : [],
  )
}

/** The command as this machine would feel it: paths below a mount are ours, other absolute ones the container's. */
function mounted(
  words: readonly string[],
  mounts: readonly Mount[],
  values: ReadonlyMap<string, readonly string[]>,
  via: readonly string[],
): Inner[] {
  const ours = (path: string) => {
    const mount = mounts.find(({ to }) => path === to || path.startsWith(to.endsWith('/') ? to : `${to}/`))
    if (mount !== undefined)
      return `${mount.from}/${path.slice(mount.to.length)}`.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1')
    return path.startsWith('/') ? `/tmp/in-the-container${path}` : path
  }
  const mapped = words.map((word, at) => (at === 0 ? word : word.split(/(\s+)/).map(ours).join('')))
  const folder = ours((values.get('w') ?? values.get('workdir'))?.[0] ?? '/')
  return [{ argv: mapped, via, cwd: folder }]
}
