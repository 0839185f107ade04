import { describe, expect, it } from 'vitest'
import { agentsIn } from '../src/agents.ts'
import { withoutSecrets } from '../src/environment.ts'

const x = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'x']))

describe('the environment inside', () => {
  it('has no secret, and no way to a program that acts for its user', () => {
    const secrets = ['A_KEY', 'A_TOKEN', 'A_SECRET', 'DB_PASSWORD', 'db_passwd', 'AWS_ACCESS_KEY_ID', 'NPM_AUTH', 'KEY']
    const ways = ['SSH_AUTH_SOCK', 'DBUS_SESSION_BUS_ADDRESS', 'TMUX', 'TMUX_PANE', 'DOCKER_HOST', 'DISPLAY', 'TMPDIR']
    const told = ['GIT_CONFIG_COUNT', 'GIT_CONFIG_KEY_0', 'GIT_CONFIG_VALUE_0']
    expect(withoutSecrets(x(...secrets, ...ways, ...told, 'ANTHROPIC_API_KEY'), [])).toEqual({})
    const kept = ['PATH', 'HOME', 'LANG', 'KEYBOARD', 'MONKEY', 'JWZ_STORE', 'GIT_AUTHOR_NAME', 'LOOP_RUN_ID', 'TERM']
    expect(withoutSecrets(x(...kept), [])).toEqual(x(...kept))
  })

  it('has no login in an address, but that of the proxy', () => {
    const url = 'https://u:p@host/'
    expect(withoutSecrets({ DATABASE: url, https_proxy: url, PLAIN: 'https://host/' }, [])).toEqual({
      ...{ https_proxy: url, PLAIN: 'https://host/' },
    })
  })

  it("has an agent's own variables, and no other agent's", () => {
    const all = x('ANTHROPIC_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN', 'OPENAI_API_KEY', 'GEMINI_API_KEY')
    expect(withoutSecrets(all, ['claude'])).toEqual(x('ANTHROPIC_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN'))
    expect(withoutSecrets(all, ['codex'])).toEqual(x('OPENAI_API_KEY'))
    expect(Object.keys(withoutSecrets(all, ['aider']))).toEqual([
      'ANTHROPIC_API_KEY',
      'OPENAI_API_KEY',
      'GEMINI_API_KEY',
    ])
  })

  it('has the variables that SANDBOX_ENV names, and no others for it', () => {
    const env = { SANDBOX_ENV: 'MODEL_KEY, KUBECONFIG', ...x('MODEL_KEY', 'KUBECONFIG', 'MODEL_KEY_2') }
    expect(withoutSecrets(env, ['codex'])).toEqual({ SANDBOX_ENV: env.SANDBOX_ENV, ...x('MODEL_KEY', 'KUBECONFIG') })
  })

  it('knows the agents of a line of shell by their names', () => {
    expect(agentsIn('claude -p "go" && codex exec')).toEqual(['claude', 'codex'])
    expect(agentsIn('scope run --agent gemini')).toEqual(['gemini'])
    expect(agentsIn('./my-claude.sh; cat claude-notes; xclaude')).toEqual([])
  })
})
