/** What decides about money and rights, changed at random: each change has to be noticed by a test. */
const parts = {
  rules: {
    mutate: ['core/rules/money.ts', 'core/rules/amount.ts', 'core/rules/loan/{allocate,components,bill,trial}.ts'],
    tests: ['core/rules/*.test.ts', 'core/rules/text/*.test.ts', 'core/rules/loan/*.test.ts'],
  },
  machines: {
    mutate: ['server/states/transition.ts', 'core/rules/machines/machine.ts'],
    tests: ['tests/machines/transition.test.ts', 'tests/machines/declarations.test.ts'],
  },
  rights: {
    mutate: ['server/rights/scope.ts', 'server/rights/rights.ts'],
    tests: ['server/rights/rights.test.ts', 'server/rights/scope.test.ts', 'tests/authorization/matrix.test.ts'],
  },
}

const name = process.env.MUTATION_PART ?? 'rules'
const part = parts[name]
if (!part) throw new Error(`no part is called ${name}: ${Object.keys(parts).join(', ')}`)
process.env.MUTATION_TESTS = JSON.stringify(part.tests)

export default {
  mutate: part.mutate,
  testRunner: 'vitest',
  vitest: { configFile: 'tests/mutation/vitest.config.ts', related: false },
  plugins: ['@stryker-mutator/vitest-runner'],
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  tsconfigFile: 'none',
  reporters: ['clear-text', 'json', 'progress-append-only'],
  jsonReporter: { fileName: `.cache/mutation/${name}.json` },
  clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
  tempDirName: '.cache/stryker',
  concurrency: 2,
  timeoutMS: 60_000,
  thresholds: { high: 90, low: 80, break: 80 },
}
