// Test first: tests that fail, code that makes them pass, and then the code once more, for who reads it.
//
//   scope workflow tdd.ts --param what="a parser of dates" --param test="npm test"
import { param, Workflow } from '@switchyard/scope/workflow'

const what = param('what')
const test = param('test', 'npm test')

const wf = new Workflow('tdd')
wf.phase('red', {
  task: `Write tests for ${what}, and nothing else. They must fail.`,
  type: 'test',
  checker: `! ${test}`,
})
wf.phase('green', { task: `Make the tests for ${what} pass. Do not change them.`, checker: test, max_iterations: 5 })
wf.phase('refactor', {
  task: `Make the code of ${what} easy to read. Its tests still pass.`,
  type: 'refactor',
  checker: 'agent: The code reads well: names say what things are, no function needs a comment to be understood.',
  verify: `\`${test}\` passes`,
  on_fail: 'continue',
})
await wf.run()
