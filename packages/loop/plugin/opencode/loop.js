// Written by loop: run `loop install opencode` to renew it, `loop uninstall opencode` to remove it.
import { spawn } from 'node:child_process'

const host = 'opencode'
const toastMs = 20_000

/**
 * Asks `loop hook`. What goes wrong here never breaks a session: the answer is to let it go on. But a tool that
 * the guard could not judge is not used.
 */
function ask(event, fields) {
  return new Promise((resolve) => {
    const allow = (warning) => resolve({ do: 'allow', ...(warning ? { warning } : {}) })
    const lost = (what) => (event === 'pre-tool' ? resolve({ do: 'deny', reason: `loop: ${what}` }) : allow(what))
    const child = spawn('loop', ['hook', '--host', host], { stdio: ['pipe', 'pipe', 'ignore'] })
    let said = ''
    child.stdout.on('data', (data) => {
      said += data
    })
    let isThere = true
    child.on('error', ({ code }) => {
      isThere = code !== 'ENOENT'
      if (isThere) lost(`loop hook could not be started at ${event} (${code})`)
      else allow('loop is not on PATH, so its hooks do nothing')
    })
    child.on('close', () => {
      try {
        if (said.trim() === '' && event !== 'pre-tool') allow()
        else resolve(JSON.parse(said))
      } catch {
        lost(`the answer of loop hook to ${event} was no JSON`)
      }
    })
    // Where there is no program, that is heard first or next.
    child.stdin.on('error', () =>
      setImmediate(() => isThere && lost(`loop hook did not read what it was sent at ${event}`)),
    )
    child.stdin.end(JSON.stringify({ host, event, ...fields }))
  })
}

/** The words that `loop hook` has for opencode's errors. */
function kindOf(error) {
  if (error?.name === 'ProviderAuthError' || error?.data?.statusCode === 401) return 'authentication_failed'
  return error?.data?.statusCode === 429 ? 'rate_limit' : 'other'
}

export const LoopPlugin = async ({ client, directory }) => {
  const children = new Set()
  const continued = new Set()

  // For the person: seen for a while in the terminal, and kept in the conversation, where the model does not read it.
  // Nobody is left to tell when the log cannot be written either.
  const warn = (message, session) => {
    const toast = { title: 'loop', message, variant: 'info', duration: toastMs }
    const parts = [{ type: 'text', text: message, ignored: true }]
    const told = [
      client.app.log({ body: { service: 'loop', level: 'warn', message } }),
      client.tui?.showToast({ body: toast }),
      ...(session ? [client.session.prompt({ path: { id: session }, body: { noReply: true, parts } })] : []),
    ]
    return Promise.allSettled(told)
  }

  const consult = async (event, session, fields = {}) => {
    const answer = await ask(event, { session_id: session, cwd: directory, ...fields })
    if (answer.warning) warn(answer.warning, session)
    return answer
  }

  const tell = (session, text, silently) =>
    client.session.prompt({ path: { id: session }, body: { noReply: silently, parts: [{ type: 'text', text }] } })

  const lastMessage = async (session) => {
    const { data = [] } = await client.session.messages({ path: { id: session } })
    const last = data.findLast(({ info }) => info.role === 'assistant')
    const texts = (last?.parts ?? []).filter(({ type }) => type === 'text').map(({ text }) => text)
    return texts.length > 0 ? texts.join('\n') : undefined
  }

  const began = async (session, source) => {
    const answer = await consult('session-start', session, { source })
    if (answer.do === 'context') await tell(session, answer.text, true)
  }

  const stopped = async (session) => {
    const fields = { last_message: await lastMessage(session), stop_hook_active: continued.has(session) }
    const answer = await consult('stop', session, fields)
    if (answer.do !== 'block') return void continued.delete(session)
    continued.add(session)
    await tell(session, answer.reason, false)
  }

  const on = {
    'session.created': async ({ info }) => {
      if (info.parentID) return void children.add(info.id)
      await began(info.id, 'startup')
    },
    'session.deleted': ({ info }) => consult('session-end', info.id),
    'session.compacted': ({ sessionID }) => began(sessionID, 'compact'),
    'session.idle': ({ sessionID }) => stopped(sessionID),
    'session.error': async ({ sessionID, error }) => {
      const fields = { error: kindOf(error), error_message: error?.data?.message }
      if (sessionID) await consult('stop-failure', sessionID, fields)
    },
  }

  return {
    // Not waited for: opencode would wait for the hook, and the hook asks opencode.
    event: async ({ event }) => {
      const session = event.properties?.sessionID
      if (!on[event.type] || children.has(session)) return
      on[event.type](event.properties).catch((error) => warn(String(error)))
    },
    'tool.execute.before': async ({ tool, sessionID }, { args }) => {
      const answer = await consult('pre-tool', sessionID, { tool, args })
      if (answer.do === 'deny' || answer.do === 'ask') throw new Error(answer.reason)
    },
    // So that `loop start`, run as a tool, knows whose loop it begins.
    'shell.env': async ({ sessionID }, { env }) => {
      if (sessionID) env.OPENCODE_SESSION_ID = sessionID
    },
    'experimental.session.compacting': async ({ sessionID }) => {
      await consult('pre-compact', sessionID, { trigger: 'auto' })
    },
  }
}
