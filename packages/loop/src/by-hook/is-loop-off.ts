type Env = Readonly<Record<string, string | undefined>>

/**
 * Whether hooks leave loops alone here: somebody switched them off, or the agent is a child of a run or of `loop ask`,
 * whose caller decides what comes next. Guards stay on.
 */
export function isLoopOff(env: Env): boolean {
  return (
    isOn(env['LOOP_DISABLE']) || isOn(env['IDLE_LOOP_DISABLE']) || isOn(env['LOOP_RUN_ID']) || isOn(env['LOOP_DEPTH'])
  )
}

const isOn = (value: string | undefined) => value !== undefined && value !== '' && value !== '0'
