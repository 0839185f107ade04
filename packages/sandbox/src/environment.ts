// What a confined command finds in its environment: no secret but those of the agent itself, and no way to a program
// that could act in its place.
import { isSecretName } from '@switchyard/cli-kit/secrets'
import { findAgents } from './agents.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Parts of names beside those that cli-kit takes for secrets. */
const secretParts = /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWD|PASSPHRASE|CREDENTIALS?|PAT|AUTH|COOKIE)(?:_|$)/i

/** Sockets of agents, sessions, containers and displays: what they lead to is hidden, and a name would mislead. */
const ways =
  /^(?:SSH_(?:AUTH_SOCK|AGENT_PID|ASKPASS)|GPG_AGENT_INFO|DBUS_.*|TMUX.*|STY|DOCKER_.*|CONTAINER_HOST|KUBECONFIG|DISPLAY|WAYLAND_.*|XAUTHORITY|XDG_RUNTIME_DIR|ICEAUTHORITY|SESSION_MANAGER|VAULT_.*|.*_SOCK|GIT_ASKPASS|SUDO_ASKPASS|GIT_CONFIG_(?:COUNT|KEY_.*|VALUE_.*))$/

/** `https://name:password@host` in a value; a proxy is asked by name and stays. */
const login = /:\/\/[^\s/@:]*:[^\s/@]+@/
const proxies = /^(?:https?|all|ftp)_proxy$/i

const temporary = /^(?:TMP|TEMP|TMPDIR)$/

/** Tells a program with a sandbox of its own, and tools that start such a program, that they are in this one. */
export const sandboxMark = { SWITCHYARD_SANDBOX: '1' }

export const isInSandbox = (env: Env) => env['SWITCHYARD_SANDBOX'] === sandboxMark.SWITCHYARD_SANDBOX

/**
 * What `agents` may see of an environment, and the variables that the person names in `SANDBOX_ENV`. Temporary files are
 * where they are inside.
 */
export function withoutSecrets(env: Env, agents: readonly string[]): Record<string, string> {
  const own = findAgents(agents).map(({ variables }) => variables)
  const named = (env['SANDBOX_ENV'] ?? '').split(/[\s,]+/)
  const kept = Object.entries(env).flatMap(([name, value]) => {
    if (value === undefined || temporary.test(name)) return []
    if (named.includes(name)) return [[name, value] as const]
    if (ways.test(name)) return []
    if (own.some((pattern) => pattern.test(name))) return [[name, value] as const]
    if (isSecretName(name) || secretParts.test(name)) return []
    return login.test(value) && !proxies.test(name) ? [] : [[name, value] as const]
  })
  return Object.fromEntries(kept)
}
