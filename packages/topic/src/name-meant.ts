/** Whether a name stands for the caller. */
export function isMe(name: string): boolean {
  return name === 'me' || name === '@me'
}

/** Who is meant by a name: by `me` and `@me` the caller. What is stored is always the name. */
export function nameMeant(name: string, me: () => string): string {
  return isMe(name) ? me() : name
}
