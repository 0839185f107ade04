import { quoted } from '../shell-word.ts'

/** What the agent is told of a command that a hook had no time for. */
export function tooSlow(command: string, canVerify: boolean): string {
  const how = canVerify
    ? `Commit your work and run it yourself, as long as it takes: loop verify --verify ${quoted(command)}\n` +
      'What passes there counts here. Then stop again.'
    : 'Let it take less time, or say what you need: loop signal stuck --note WHY'
  return `The command did not end within the time of a hook and was stopped: ${command}\n${how}`
}
