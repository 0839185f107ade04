// Three reviewers with an eye of their own read the same change at once; what two of them find is mended.
//
//   scope workflow review-panel.ts --param change="git diff main" --param test="npm test"
import { param, Workflow } from '@switchyard/scope/workflow'

const change = param('change', 'git diff main')
const eyes = {
  correctness: 'Look for what is wrong: cases that are missed, errors that are swallowed.',
  security: 'Look for what an attacker could use: input that is trusted, secrets that leak.',
  simplicity: 'Look for what could go: code that nobody needs, and names that mislead.',
}

const wf = new Workflow('review-panel')
for (const [at, [eye, task]] of Object.entries(eyes).entries()) {
  wf.phase(eye, {
    task: `Read the change that \`${change}\` shows. ${task}`,
    ...{ type: 'review', access: 'read', parallel: at > 0, on_fail: 'continue' },
  })
}
wf.phase('mend', {
  task: 'Mend what at least two of the reviews above find, and tell what you left.',
  checker: param('test', 'npm test'),
  pipe: Object.keys(eyes),
  on_fail: 'retry:1',
})
await wf.run()
