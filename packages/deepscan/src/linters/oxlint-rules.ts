import { readRuleTable } from './linter-rule.ts'

/** The rules of oxlint that are on, by plugin and name: what is wrong, or nearly always is; nothing about style. */
export const oxlintRules = readRuleTable(`
high correctness: eslint/constructor-super eslint/no-class-assign eslint/no-const-assign eslint/no-this-before-super
high correctness: eslint/for-direction eslint/no-constant-binary-expression eslint/no-dupe-class-members
high correctness: eslint/no-dupe-else-if
high correctness: eslint/no-dupe-keys eslint/no-duplicate-case eslint/no-func-assign eslint/no-import-assign
high correctness: eslint/no-obj-calls
high correctness: eslint/no-empty-character-class eslint/no-invalid-regexp eslint/no-new-native-nonconstructor
high correctness: eslint/no-unassigned-vars? eslint/no-unexpected-multiline eslint/no-unsafe-negation
high correctness: eslint/use-isnan eslint/valid-typeof
high correctness: eslint/no-unsafe-optional-chaining
high correctness: oxc/bad-array-method-on-arguments oxc/bad-char-at-comparison oxc/bad-comparison-sequence
high correctness: oxc/bad-match-all-arg
high correctness: oxc/bad-min-max-func oxc/bad-object-literal-comparison oxc/bad-replace-all-arg
high correctness: oxc/const-comparisons oxc/missing-throw
high correctness: oxc/number-arg-out-of-range oxc/uninvoked-array-callback
high correctness: unicorn/no-accessor-recursion unicorn/no-invalid-fetch-options unicorn/no-negation-in-equality-check
high correctness: unicorn/no-array-fill-with-reference-type promise/no-new-statics
high correctness: node/no-exports-assign
high correctness: react/jsx-no-duplicate-props react/rules-of-hooks import/no-self-import
medium correctness: eslint/array-callback-return? eslint/getter-return eslint/no-delete-var eslint/no-ex-assign
medium correctness: eslint/no-fallthrough?
medium correctness: eslint/no-global-assign eslint/no-loss-of-precision eslint/no-misleading-character-class
medium correctness: eslint/no-self-assign
medium correctness: eslint/no-self-compare eslint/no-setter-return eslint/no-unreachable
medium correctness: eslint/no-useless-backreference
medium correctness: oxc/erasing-op oxc/misrefactored-assign-op typescript/no-duplicate-enum-values
medium correctness: typescript/no-misused-new
medium correctness: typescript/no-non-null-asserted-optional-chain react/jsx-key? react/no-direct-mutation-state
medium correctness: react/void-dom-elements-no-children
medium reliability: eslint/no-async-promise-executor eslint/no-cond-assign? eslint/no-unsafe-finally
medium reliability: promise/no-multiple-resolved?
medium reliability: unicorn/no-await-in-promise-methods unicorn/no-invalid-remove-event-listener jest/no-focused-tests
high security: eslint/no-implied-eval
medium security: eslint/no-eval? react/jsx-no-script-url react/no-danger-with-children
`)

/** The plugins whose rules are on. */
export const oxlintPlugins = ['eslint', 'oxc', 'typescript', 'unicorn', 'promise', 'node', 'react', 'import', 'jest']
