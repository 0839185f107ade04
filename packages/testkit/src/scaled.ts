/** Whether the full sizes are asked for: `npm run test:long` sets SWITCHYARD_SIZE=full. */
export const full = process.env['SWITCHYARD_SIZE'] === 'full'

/** `count` in a full run, a tenth of it (rounded up) otherwise. */
export function scaled(count: number): number {
  return full ? count : Math.ceil(count / 10)
}
