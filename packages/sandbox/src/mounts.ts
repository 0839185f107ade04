// Which parts of the machine stand where inside: a list of the visible, so that what nobody thought of is not there.

import { dirname, isAbsolute, join, sep } from 'node:path'
import { findAgents, type OwnFiles } from './agents.ts'
import type { Confinement } from './confinement.ts'
import type { Disk } from './disk.ts'
import type { Mount } from './mount.ts'
import { toolsOf } from './tools.ts'

/** A file of which the command gets a copy, and where the copy lies before. */
type Copied = { readonly from: string; readonly to: string }

export type Inside = { readonly mounts: readonly Mount[]; readonly copied: readonly Copied[] }

const system = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/opt', '/nix', '/gnu', '/sys'],
  ...['/var/lib/alternatives', '/var/lib/ca-certificates', '/var/lib/gems', '/run/current-system'],
]

/** Readable for root alone, who has its rights of a file's owner inside too. */
const secretsOfSystem = ['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/krb5.keytab']

/** Files that programs are told by their environment. */
const filesInEnvironment = [
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'GIT_SSL_CAINFO'],
  'GIT_CONFIG_GLOBAL',
]

const ofGit = ['.gitconfig', '.config/git/config', '.config/git/ignore', '.config/git/attributes']

const homeBytes = 256 * 1024 * 1024
const runBytes = 1024 * 1024
/** Where a copy waits: a folder of the empty `/run`. */
const waiting = '/run/switchyard'

export function insideOf(confinement: Confinement, disk: Disk): Inside {
  const { folder, home, env, agents, temporaryBytes, git } = confinement
  const own = findAgents(agents).map((agent) => agent.files(home, folder, env))
  const copied = own
    .flatMap((files) => files.copied)
    .filter(disk.isThere)
    .map((to, index) => ({ from: `${waiting}/${index}`, to }))
  const readable = [
    ...confinement.readable,
    ...own.flatMap((files) => files.readable),
    ...ofGit.map((name) => join(home, name)),
    ...filesInEnvironment.flatMap((name) => env[name] ?? []).filter(isAbsolute),
    ...toolsOf({ home, path: env['PATH'] ?? '', more: env['SANDBOX_READ'] ?? '' }, disk),
  ]
  const mounts: Mount[] = [
    ...system.flatMap((path) => ofSystem(path, disk)),
    ...[...secretsOfSystem, ...hostKeys(disk)].filter(disk.isThere).map((at): Mount => ({ at, is: 'blank' })),
    { at: '/tmp', is: 'empty', bytes: temporaryBytes },
    { at: '/var/tmp', is: 'link', to: '/tmp' },
    { at: '/run', is: 'empty', bytes: runBytes },
    { at: '/var/run', is: 'link', to: '/run' },
    ...(home === '/' ? [] : [{ at: home, is: 'empty', bytes: homeBytes } as const]),
    ...resolver(disk),
    ...readable.filter((path) => !isAround(path, home)).flatMap((path) => shown(path, false, disk)),
    ...own.flatMap((files) => files.folders.flatMap((of) => ownFolder(of, disk))),
    ...copied.map(({ from, to }): Mount => ({ at: from, is: 'shown', of: to, writable: false })),
    ...confinement.writable.flatMap((path) => shown(path, true, disk)),
    ...shown(folder, true, disk),
    ...(git?.mounts ?? []),
  ]
  return { mounts: inOrder(mounts), copied }
}

function ofSystem(at: string, disk: Disk): Mount[] {
  const to = disk.linkAt(at)
  return to === undefined ? shown(at, false, disk) : [{ at, is: 'link', to }]
}

const shown = (path: string, writable: boolean, disk: Disk): Mount[] =>
  disk.isThere(path) ? [{ at: path, is: 'shown', of: path, writable }] : []

const hostKeys = (disk: Disk) =>
  disk
    .namesIn('/etc/ssh')
    .filter((name) => name.endsWith('_key'))
    .map((name) => `/etc/ssh/${name}`)

/** Names are resolved by a file that often is a link to where the sockets are. */
function resolver(disk: Disk): Mount[] {
  const real = disk.realPath('/etc/resolv.conf')
  return real?.startsWith('/run/') ? [{ at: real, is: 'shown', of: real, writable: false }] : []
}

/** Its entries one by one, read-only, in an empty folder: what it makes beside them goes away. */
function ownFolder({ path, written, hidden }: OwnFiles['folders'][number], disk: Disk): Mount[] {
  if (!disk.isThere(path)) return []
  const isLeftOut = (name: string) =>
    hidden.includes(name) || written.some((entry) => entry === name || entry.startsWith(`${name}/`))
  const entries = disk.namesIn(path).filter((name) => !isLeftOut(name))
  return [
    { at: path, is: 'empty', bytes: homeBytes },
    ...entries.flatMap((name) => shown(join(path, name), false, disk)),
    ...written.flatMap((name) => shown(join(path, name), true, disk)),
  ]
}

/** Whether a folder holds all of another: `/` and home are never shown whole by the way. */
export const isAround = (outer: string, inner: string) =>
  outer === inner || outer === '/' || inner.startsWith(outer + sep)

/** What is around comes first. Of two at one place the later one counts, and one that can be written before all. */
function inOrder(mounts: readonly Mount[]): Mount[] {
  const at = new Map<string, Mount>()
  for (const mount of mounts) {
    const known = at.get(mount.at)
    if (known?.is === 'shown' && known.writable && mount.is === 'shown' && !mount.writable) continue
    at.set(mount.at, mount)
  }
  const depth = (path: string) => path.split(sep).length
  return [...at.values()]
    .sort((a, b) => depth(a.at) - depth(b.at) || (a.at < b.at ? -1 : 1))
    .filter((mount) => !(mount.is === 'shown' && !mount.writable && isCovered(mount, at)))
}

/** Whether it is there already: a part of what is shown around it. */
function isCovered(mount: Mount & { is: 'shown' }, at: ReadonlyMap<string, Mount>): boolean {
  if (mount.of !== mount.at) return false
  for (let folder = dirname(mount.at); folder !== dirname(folder); folder = dirname(folder)) {
    const around = at.get(folder)
    if (around !== undefined) return around.is === 'shown' && !around.writable && around.of === around.at
  }
  return false
}
