/** The rules of biome that are on where it runs with our settings: what is wrong, or nearly always is. */
const biomeRules: Readonly<Record<string, readonly string[]>> = {
  correctness: [
    ...[
      'noConstantCondition',
      'noInvalidConstructorSuper',
      'noInvalidUseBeforeDeclaration',
      'noSelfAssign',
      'noSetterReturn',
    ],
    ...[
      'noUnreachable',
      'noUnreachableSuper',
      'noUnsafeFinally',
      'noUnsafeOptionalChaining',
      'useIsNan',
      'useValidTypeof',
    ],
  ],
  suspicious: [
    ...[
      'noAsyncPromiseExecutor',
      'noDuplicateCase',
      'noDuplicateClassMembers',
      'noDuplicateElseIf',
      'noDuplicateObjectKeys',
    ],
    ...[
      'noFallthroughSwitchClause',
      'noFunctionAssign',
      'noGlobalAssign',
      'noMisleadingCharacterClass',
      'noSelfCompare',
    ],
    ...['noUnsafeNegation', 'useGetterReturn', 'noFocusedTests'],
  ],
  security: ['noGlobalEval'],
}

/** The settings that biome runs with: ours alone. */
export function biomeSettings(): string {
  const groups = Object.entries(biomeRules).map(([group, rules]) => [
    group,
    Object.fromEntries(rules.map((rule) => [rule, 'error'])),
  ])
  return JSON.stringify({
    root: true,
    vcs: { enabled: false },
    linter: { rules: { preset: 'none', ...Object.fromEntries(groups) } },
  })
}
