import { isKnown, nameOf } from '../shell/command.ts'
import { readOptions } from '../shell/options.ts'
import { found, type Judge } from './judge.ts'

/** docker and podman. */
export const judgeContainers: Judge = (command) => {
  const args = command.argv.slice(1)
  const { operands, flags } = readOptions(args, {
    valued: 'H',
    long: ['context=', 'file=', 'project-name=', 'volumes', 'all', 'force', 'filter='],
  })
  const words = nameOf(command.argv[0] ?? '') === 'docker-compose' ? ['compose', ...operands] : operands
  const [first, second] = words
  const isPrune = (first === 'system' || first === 'volume') && second === 'prune'
  const isVolume = first === 'volume' && (second === 'rm' || second === 'remove')
  const isDown = first === 'compose' && words.includes('down') && (flags.has('v') || flags.has('volumes'))
  const isAll = (first === 'rm' || second === 'rm') && !words.every(isKnown)
  return found(command, (isPrune || isVolume || isDown || isAll) && 'infra.docker')
}
