/** Works out each answer once: many questions are asked again for every word of a command. */
export function onceFor<Of extends object, T>(look: (of: Of) => T): (of: Of) => T {
  const seen = new WeakMap<Of, { readonly found: T }>()
  return (of) => {
    const known = seen.get(of) ?? { found: look(of) }
    seen.set(of, known)
    return known.found
  }
}
