import type { RuleCases } from './case.ts'

const head = 'package a\n\nimport (\n\t"fmt"\n\t"os/exec"\n)\n\n'

export const goCases: Readonly<Record<string, RuleCases>> = {
  'go/shell-injection': {
    reported: [
      `${head}func f(n string) { exec.Command("sh", "-c", fmt.Sprintf("ls %s", n)).Run() }\n`,
      `${head}func f(n string) {\n\tc := "ls " + n\n\texec.Command("/bin/bash", "-c", c).Run()\n}\n`,
      'package a\n\nimport run "os/exec"\n\nfunc f(n string) { run.Command("sh", "-c", "ls "+n) }\n',
    ],
    clean: [
      `${head}func f(n string) { exec.Command("ls", n).Run() }\n`,
      `${head}func f() { exec.Command("sh", "-c", "ls").Run() }\n`,
      'package a\n\nfunc f(exec Runner, n string) { exec.Command("sh", "-c", "ls "+n) }\n',
    ],
  },
  'go/tls-verification-off': {
    reported: ['package a\n\nvar c = &tls.Config{InsecureSkipVerify: true}\n'],
    clean: [
      'package a\n\nvar c = &tls.Config{InsecureSkipVerify: false}\n',
      'package a\n\nvar c = &tls.Config{InsecureSkipVerify: insecure}\n',
    ],
  },
}
