// Written by scope: run `scope setup --agent opencode` to renew it, `scope uninstall --agent opencode` to remove it.
import { spawn } from 'node:child_process'

const host = 'opencode'
const isSession = Boolean(process.env.SCOPE_DIR && process.env.SCOPE_SESSION_ID)

/** Tells `scope hook`, which answers nothing. What goes wrong here never breaks a session. */
function tell(event, session, fields) {
  return new Promise((resolve) => {
    const child = spawn('scope', ['hook', '--host', host], { stdio: ['pipe', 'ignore', 'ignore'] })
    child.on('error', resolve)
    child.on('close', resolve)
    child.stdin.on('error', () => undefined)
    child.stdin.end(JSON.stringify({ host, event, session_id: session, ...fields }))
  })
}

/** The words that `scope hook` has for opencode's errors. */
function kindOf(error) {
  if (error?.name === 'ProviderAuthError' || error?.data?.statusCode === 401) return 'authentication_failed'
  return error?.data?.statusCode === 429 ? 'rate_limit' : 'other'
}

const textOf = (parts) =>
  (parts ?? [])
    .filter(({ type }) => type === 'text')
    .map(({ text }) => text)
    .join('\n')

export const ScopePlugin = async ({ client, directory }) => {
  if (!isSession) return {}
  const children = new Set()

  // One after another, so that the end of a turn is not told before its last tool.
  let told = Promise.resolve()
  const note = (event, session, fields = {}) => {
    if (session && !children.has(session)) told = told.then(() => tell(event, session, { cwd: directory, ...fields }))
    return told
  }

  const stopped = async (session) => {
    const { data = [] } = await client.session.messages({ path: { id: session } })
    const last = data.findLast(({ info }) => info.role === 'assistant')
    await note('stop', session, { last_message: textOf(last?.parts) || undefined })
  }
  const asked = ({ sessionID, title, permission }) => note('notice', sessionID, { message: title ?? permission })

  const on = {
    'session.created': ({ info }) => {
      if (info.parentID) children.add(info.id)
      else return note('session-start', info.id, { source: 'startup' })
    },
    'session.idle': ({ sessionID }) => (children.has(sessionID) ? undefined : stopped(sessionID)),
    'session.error': ({ sessionID, error }) => note('stop-failure', sessionID, { error: kindOf(error) }),
    'permission.asked': asked,
    'permission.updated': asked,
  }

  return {
    // Not waited for: opencode would wait for the hook, and the hook asks opencode.
    event: async ({ event }) => {
      Promise.resolve(on[event.type]?.(event.properties ?? {})).catch(() => undefined)
    },
    'chat.message': async ({ sessionID }, { parts }) => {
      await note('prompt', sessionID, { prompt: textOf(parts) })
    },
    'tool.execute.before': async ({ tool, sessionID }, { args }) => {
      await note('pre-tool', sessionID, { tool, args })
    },
    'tool.execute.after': async ({ tool, sessionID, args }) => {
      await note('post-tool', sessionID, { tool, args })
    },
  }
}
