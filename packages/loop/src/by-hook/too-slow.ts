/** What the agent is told of a command that a hook had no time for, and that a process of loop's own goes on with. */
export function tooSlow(command: string): string {
  return (
    `The command takes longer than a hook may: ${command}\n` +
    'A process of loop runs it on. Leave what is committed as it is and stop again: what it comes to is read then, and ' +
    'waited for as long as a hook may.'
  )
}

/** What the agent is told of a landing that would check all of it again, on top of what has landed since. */
export function landingTooSlow(command: string): string {
  return `Others have landed since, and your change is on top of that now, so that it is checked again.\n${tooSlow(command)}`
}

/** What the agent is told of a landing that had no turn. */
export const landingWaits =
  'Your change is good, but another is landing, and a hook may not wait longer. Leave what is committed as it is and stop again.'

/** The answer about a check that is too slow for a hook, where nothing is committed that it could be about. */
export function tooSlowHere(command: string, canCommit: boolean): string {
  const how = canCommit
    ? 'Commit your work and stop again: then a process of loop runs it, as long as it takes.'
    : 'Let it take less time, or say what you need: loop signal stuck --note WHY'
  return `The command did not end within the time of a hook and was stopped: ${command}\n${how}`
}
