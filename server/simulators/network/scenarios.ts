import { behaviourOf, type CaseCode, type Chosen, isRequestCase, type PayInCase, payInCases } from './cases.ts'
import type { Channel } from './channel.ts'
import { draw, type Mix } from './seed.ts'

export type Scenario = { match: 'payee' | 'externalId' | 'next'; value: string; code: CaseCode; variant: string | null }
/** The seed of a storm; null outside of one. */
export type Seeded = { seed: number | null; mix: Mix }

/** Which case the next operations meet: a scenario for its number goes before one for `next`, that before one for its payee. One for `next` is used once, the others stay. */
export const openScenarios = (channel: Channel, seeded: () => Seeded) => {
  let list: Scenario[] = []

  const variants = (code: CaseCode): readonly string[] =>
    (isRequestCase(code) ? channel.variants[code] : undefined) ?? behaviourOf(code).variants ?? []

  /** Without a scenario the last two digits of a number choose the case, the third last its variant. */
  const byNumber = (party: string): Chosen => {
    const named = `G${party.slice(-2)}`
    const code = isRequestCase(named) && channel.cases.includes(named) ? named : 'G01'
    return { code, variant: variantByNumber(code, party) }
  }
  const variantByNumber = (code: CaseCode, party: string): string | null => {
    const words = variants(code)
    return words[Number(party.at(-3)) % words.length] ?? null
  }

  const drawn = (party: string, nth: number, cases: readonly CaseCode[]): Chosen | null => {
    const { seed, mix } = seeded()
    return seed === null ? null : draw(seed, mix, { party, nth, cases, variants })
  }

  return {
    set(scenario: Scenario) {
      const same = (other: Scenario) =>
        scenario.match !== 'next' && other.match === scenario.match && other.value === scenario.value
      list = [...list.filter(other => !same(other)), scenario]
    },
    /** The case of the `nth` request to a party. */
    choose(externalId: string, party: string, nth: number): Chosen {
      const wanted = { externalId, next: '', payee: party }
      const found = (['externalId', 'next', 'payee'] as const)
        .map(match => list.find(one => one.match === match && (match === 'next' || one.value === wanted[match])))
        .find(one => one !== undefined)
      if (found?.match === 'next') list = list.filter(other => other !== found)
      if (found) return { code: found.code, variant: found.variant ?? variantByNumber(found.code, party) }
      return drawn(party, nth, channel.cases) ?? byNumber(party)
    },
    /** The case of the `nth` payment of a customer. */
    choosePayIn: (party: string, nth: number): PayInCase =>
      (drawn(party, nth, Object.keys(payInCases) as PayInCase[])?.code as PayInCase | undefined) ?? 'R01',
  }
}

export type Scenarios = ReturnType<typeof openScenarios>
