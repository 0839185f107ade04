import { type Command, nameOf } from '../shell/command.ts'
import { readOptions } from '../shell/options.ts'
import type { PackRuleId } from '../verdict/pack-table.ts'

/** What changes the machine for all who use it. */
export function system({ argv, via }: Command): readonly PackRuleId[] {
  const [word = '', ...args] = argv
  const name = nameOf(word)
  const { operands, flags } = readOptions(args)
  const [verb = ''] = operands
  if (name === 'chmod') {
    const isAll =
      /^0?[0-7]?777$/.test(verb) || (/^a[+=]r?wx?$/.test(verb) && (flags.has('R') || flags.has('recursive')))
    return isAll ? ['system.open'] : []
  }
  if (name === 'crontab') return flags.has('r') ? ['system.crontab'] : []
  if (name === 'systemctl') return /^(?:disable|mask|stop)$/.test(verb) ? ['system.service'] : []
  if (/^ip6?tables$/.test(name))
    return flags.has('F') || flags.has('flush') || flags.has('X') ? ['system.firewall'] : []
  if (name === 'ufw') return /^(?:disable|reset)$/.test(verb) ? ['system.firewall'] : []
  if (name === 'nft') return verb === 'flush' ? ['system.firewall'] : []
  if (/^pip[\d.]*$/.test(name) || isPip(name, args)) {
    const isSystem = args.includes('--break-system-packages') || (via.includes('sudo') && args.includes('install'))
    return isSystem ? ['system.packages'] : []
  }
  return name === 'npm' && via.includes('sudo') && (flags.has('g') || flags.has('global')) ? ['system.packages'] : []
}

const isPip = (name: string, args: readonly string[]) =>
  /^python[\d.]*$/.test(name) && args[0] === '-m' && args[1] === 'pip'
