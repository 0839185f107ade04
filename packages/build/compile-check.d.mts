export function compileModule(exported: Readonly<Record<string, unknown>>): string
