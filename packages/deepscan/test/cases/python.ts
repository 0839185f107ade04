import type { RuleCases } from './case.ts'

export const pythonCases: Readonly<Record<string, RuleCases>> = {
  'py/none-comparison': {
    mended: [
      ['if x == None:\n    f()\n', 'if x is None:\n    f()\n'],
      ['while a and not b.c!=None:\n    f()\n', 'while a and not b.c is not None:\n    f()\n'],
    ],
    clean: [
      'q.filter(User.name == None)\n',
      'if x is None:\n    f()\n',
      'rows = table[table.x == None]\n',
      'if f(x == None):\n    g()\n',
    ],
  },
  'py/literal-identity': {
    mended: [
      ["if mode is 'r':\n    f()\n", "if mode == 'r':\n    f()\n"],
      ['ok = n is not 5\n', 'ok = n != 5\n'],
    ],
    clean: ['if x is None:\n    f()\n', 'if x is True:\n    f()\n', "if x == 'r':\n    f()\n"],
  },
  'py/length-bound': {
    mended: [
      ['if len(xs) < 0:\n    f()\n', 'if len(xs) == 0:\n    f()\n'],
      ['ok = len(xs) >= 0\n', 'ok = len(xs) > 0\n'],
    ],
    clean: ['if len(xs) > 0:\n    f()\n', 'if 0 < len(xs) < 5:\n    f()\n'],
  },
  'py/literal-alternative': {
    mended: [
      ["if x == 'a' or 'b':\n    f()\n", "if x == 'a' or x == 'b':\n    f()\n"],
      ['while n.kind == 1 or 2:\n    f()\n', 'while n.kind == 1 or n.kind == 2:\n    f()\n'],
      ['if x == 1 or 2 or 3:\n    f()\n', 'if x == 1 or x == 2 or x == 3:\n    f()\n'],
    ],
    clean: [
      "name = x == 'a' or 'b'\n",
      "name = given or 'x'\n",
      "if x == 'a' or y:\n    f()\n",
      "if x in ('a', 'b'):\n    f()\n",
    ],
  },
  'py/assert-tuple': {
    mended: [
      ["assert (x > 0, 'positive')\n", "assert x > 0, 'positive'\n"],
      ["assert(x, 'message')\n", "assert x, 'message'\n"],
    ],
    reported: ["assert (\n    x,\n    'message',\n)\n", 'assert (a, b)\n'],
    clean: ["assert x, 'message'\n", 'assert (x)\n', 'assert ()\n', "assert (a, b), 'c'\n"],
  },
  'py/mutable-default': {
    mended: [
      [
        'def add(x, xs=[]):\n    xs.append(x)\n    return xs\n',
        'def add(x, xs=None):\n    if xs is None:\n        xs = []\n    xs.append(x)\n    return xs\n',
      ],
      [
        "class A:\n\tdef __init__(self, m={}):\n\t\t'''Doc.'''\n\t\t# why\n\t\tself.m = m\n",
        "class A:\n\tdef __init__(self, m=None):\n\t\t'''Doc.'''\n\t\t# why\n\t\tif m is " +
          'None:\n\t\t\tm = {}\n\t\tself.m = m\n',
      ],
      ['def f(s=set()):\r\n  s.add(1)\r\n', 'def f(s=None):\r\n  if s is None:\r\n    s = set()\r\n  s.add(1)\r\n'],
    ],
    reported: [
      'def f(xs=[]): xs.append(1)\n',
      'def f(xs=[first]):\n    xs.append(1)\n',
      'def f(m: dict = {}):\n    m.update(a=1)\n',
    ],
    clean: [
      'def f(xs=[]):\n    for x in xs:\n        g(x)\n',
      'def fib(n, cache={}):\n    cache[n] = 1\n',
      'def f(xs=()):\n    return xs\n',
      'def f(xs=[]):\n    return xs\n',
      'def f(xs=None):\n    xs.append(1)\n',
      'f = lambda xs=[]: xs\n',
      'def f(n=[0]):\n    n[0] += 1\n',
    ],
  },
  'py/call-in-default': {
    mended: [
      [
        'def log(text, at=datetime.now()):\n    print(at, text)\n',
        'def log(text, at=None):\n    if at is None:\n        at = datetime.now()\n    print(at, text)\n',
      ],
    ],
    clean: ['def f(x=int()):\n    return x\n', 'def f(x=env.get(1)):\n    return x\n', 'x = datetime.now()\n'],
  },
  'py/bare-except': {
    mended: [
      ['try:\n    f()\nexcept:\n    pass\n', 'try:\n    f()\nexcept Exception:\n    pass\n'],
      ['try:\n    f()\nexcept :  # any\n    g()\n', 'try:\n    f()\nexcept Exception :  # any\n    g()\n'],
    ],
    clean: [
      'try:\n    f()\nexcept:\n    g()\n    raise\n',
      'try:\n    f()\nexcept ValueError:\n    pass\n',
      'try:\n    f()\nexcept:\n    sys.exit(1)\n',
    ],
  },
  'py/except-alternative': {
    mended: [
      [
        'try:\n    f()\nexcept ValueError or KeyError:\n    g()\n',
        'try:\n    f()\nexcept (ValueError, KeyError):\n    g()\n',
      ],
      ['try:\n    f()\nexcept A or b.C or D as e:\n    g(e)\n', 'try:\n    f()\nexcept (A, b.C, D) as e:\n    g(e)\n'],
    ],
    clean: ['try:\n    f()\nexcept (A, B):\n    g()\n', 'try:\n    f()\nexcept A:\n    g(a or b)\n'],
  },
  'py/raise-notimplemented': {
    mended: [
      ['def f():\n    raise NotImplemented\n', 'def f():\n    raise NotImplementedError\n'],
      ["def f():\n    raise NotImplemented('later')\n", "def f():\n    raise NotImplementedError('later')\n"],
    ],
    clean: ['def f():\n    raise NotImplementedError\n', 'def f():\n    return NotImplemented\n'],
  },
  'py/return-in-finally': {
    reported: ['def f():\n    try:\n        g()\n    finally:\n        return 1\n'],
    clean: ['def f():\n    try:\n        return g()\n    finally:\n        h()\n'],
  },
  'py/yaml-load': {
    mended: [['import yaml\nx = yaml.load(f)\n', 'import yaml\nx = yaml.safe_load(f)\n']],
    clean: [
      'import yaml\nx = yaml.load(f, Loader=yaml.SafeLoader)\n',
      'from ruamel.yaml import YAML\nyaml = YAML()\nx = yaml.load(f)\n',
      'import yaml\nx = yaml.safe_load(f)\n',
    ],
  },
  'py/tls-verification-off': {
    reported: ['requests.get(url, verify=False)\n'],
    clean: ['requests.get(url, verify=ca)\n', 'requests.get(url)\n', 'check(url, verify=False)\n'],
  },
  'py/shell-injection': {
    reported: [
      "subprocess.run(f'rm {name}', shell=True)\n",
      "os.system('rm ' + name)\n",
      "subprocess.call('rm %s' % name, shell=True)\n",
    ],
    clean: [
      "subprocess.run(['rm', name])\n",
      "subprocess.run('ls', shell=True)\n",
      "os.system('ls')\n",
      "subprocess.run(f'rm {name}')\n",
    ],
  },
  'py/built-eval': {
    reported: ["x = eval(input('sum: '))\n", "exec(f'{name} = 1')\n", "eval('f(' + x + ')')\n"],
    clean: ["eval('1 + 1')\n", 'model.eval()\n', 'exec(compile(source, path, "exec"))\n'],
  },
  'py/weak-password-hash': {
    reported: ['h = hashlib.md5(password.encode()).hexdigest()\n'],
    clean: ['h = hashlib.md5(data).hexdigest()\n', 'h = hashlib.sha256(password)\n'],
  },
  'py/insecure-tempfile': {
    reported: ['path = tempfile.mktemp()\n'],
    clean: ['fd, path = tempfile.mkstemp()\n'],
  },
}
