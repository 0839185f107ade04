/** A text as one word of a shell, quoted where it has to be. */
export const quoted = (text: string) => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)
