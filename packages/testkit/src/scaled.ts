/** Whether the full sizes are asked for: `npm run test:long` sets SWITCHYARD_SIZE=full. */
export const full = process.env['SWITCHYARD_SIZE'] === 'full'

/** `count` in a full run, else one part of it (rounded up): a tenth, or less where each costs seconds. */
export function scaled(count: number, parts = 10): number {
  return full ? count : Math.ceil(count / parts)
}
