import { afterAll, beforeAll, expect, it } from 'vitest'
import { codes } from '../../core/contract/codes.ts'
import { contract, endpoints } from '../../core/contract/contract.ts'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import { type House, openHouse } from './house.ts'
import { type Input, spoilt } from './inputs.ts'

/** Values of the right type that a database, a calendar or a number may choke on. */
const texts = ['a\u0000b', '\ud800', '%_\\', '0000-01-01', '9999-12-31T23:59:59.999Z', '9999999999999999.99']
const numbers = [Number.MAX_SAFE_INTEGER, 2_147_483_648, -1]

/** Ends the session of whoever guesses their password too often. */
const guesses = new Set(['user.changePwd'])

let house: House
beforeAll(async () => {
  house = await openHouse()
  await house.repaid()
}, 60_000)
afterAll(() => house.close())

type Case = { at: string; input: Input; value: string }

const casesOf = (endpoint: Endpoint): Case[] => [
  ...texts.flatMap(value => spoilt(endpoint, 'string', value).map(one => ({ ...one, value: JSON.stringify(value) }))),
  ...numbers.flatMap(value => spoilt(endpoint, 'number', value).map(one => ({ ...one, value: String(value) }))),
]

const answersAll = async (name: string, endpoint: Endpoint, cases: readonly Case[]) => {
  const broken: string[] = []
  for (const { at, input, value } of cases) {
    const { code, status } = await house.ask(endpoint, input, { as: guesses.has(name) ? house.second : house.boss })
    if (code === codes.internal || status !== 200 || (code === codes.signedOut && !guesses.has(name)))
      broken.push(`${at} = ${value}`)
  }
  expect(broken).toEqual([])
}

const withFields = endpoints.map(one => ({ ...one, cases: casesOf(one.endpoint) })).filter(one => one.cases.length > 0)

it.each(withFields)('$name answers strange values with a code of the catalogue', ({ name, endpoint, cases }) =>
  answersAll(name, endpoint, cases),
)

it('audit.manageSum does so for filters that its list has', () => {
  const { manageList, manageSum } = contract.audit
  const filters = ({ pageNum: _, pageSize: __, sort: ___, ...rest }: Input) => ({ filters: rest })
  const cases = casesOf(manageList as unknown as Endpoint).map(one => ({ ...one, input: filters(one.input) }))
  return answersAll('audit.manageSum', manageSum, cases)
})
