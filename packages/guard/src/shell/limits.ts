/** How much the guard reads before it gives up on a command as unreadable. */
export const limits = {
  inputLength: 4 << 20,
  depth: 24,
  commands: 60_000,
  textLength: 1 << 20,
  valueLength: 1 << 16,
  choices: 24,
}
