// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { endpoints } from '../../core/contract/contract.ts'
import { widgets } from '../../widgets/registry.ts'

/** The calls that each screen declares, as the server reads them: `npx vitest run tests/contract/widget-calls.test.ts -u` updates them. */
it('are those that the screens declare', async () => {
  const names = new Map(endpoints.map(({ name, endpoint }) => [endpoint, name]))
  const lines = await Promise.all(
    widgets.map(async ({ tag, load }) => {
      const { calls } = (await load()).default
      const called = [...new Set(calls.map(call => names.get(call) ?? `${call.path} is not in the contract`))].sort()
      return `  '${tag}': [${called.map(name => `'${name}'`).join(', ')}],`
    }),
  )
  const text = [
    '// Written by tests/contract/widget-calls.test.ts from the screens; do not edit.',
    '',
    '/** The calls that each element makes, by the names of the contract. */',
    'export const widgetCalls: Readonly<Record<string, readonly string[]>> = {',
    ...lines,
    '}',
    '',
  ].join('\n')
  await expect(text).toMatchFileSnapshot('../../core/contract/widget-calls.gen.ts')
})
