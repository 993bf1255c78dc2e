import { type CaseCode, caseOfNumber, variantOfNumber } from './cases.ts'

export type Scenario = { match: 'payee' | 'externalId' | 'next'; value: string; code: CaseCode; variant: string | null }

/** Which case the next requests meet. A scenario for `next` is used once, the others stay. */
export const openScenarios = () => {
  let list: Scenario[] = []
  return {
    set(scenario: Scenario) {
      const same = (other: Scenario) =>
        scenario.match !== 'next' && other.match === scenario.match && other.value === scenario.value
      list = [...list.filter(other => !same(other)), scenario]
    },
    choose(externalId: string, party: string): { code: CaseCode; variant: string | null } {
      const found = list.find(
        ({ match, value }) => match === 'next' || value === (match === 'externalId' ? externalId : party),
      )
      if (found?.match === 'next') list = list.filter(other => other !== found)
      const code = found?.code ?? caseOfNumber(party)
      return { code, variant: found?.variant ?? variantOfNumber(code, party) }
    },
  }
}

export type Scenarios = ReturnType<typeof openScenarios>
