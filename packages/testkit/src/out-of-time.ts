const secondsMax = 256

/**
 * Does what is ended by a limit of time, such as `4s`, and does it again with twice the time until what is to be ended
 * had begun: on a busy machine nothing begins at once, and a test that hopes so tells of the machine.
 */
export function outOfTime<T>(act: (limit: string) => T, hadBegun: (result: T) => boolean): T {
  for (let seconds = 1; ; seconds *= 2) {
    const result = act(`${seconds}s`)
    if (hadBegun(result)) return result
    if (seconds >= secondsMax) throw new Error(`nothing began within ${seconds} s: ${JSON.stringify(result)}`)
  }
}
