import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type PayInCase, payInCases, type RequestCase, requestCases } from '../simulators/network/cases.ts'
import { channels } from './house.ts'
import { notYet } from './not-yet.ts'
import { payoutCases } from './payouts.ts'

const sourceOf = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')
const named = (source: string): Set<string> => new Set(source.match(/(?<=it(?:\.each\(\w+\))?\('(?:%s )?)[GR]\d\d/g))
const playedIn = (channel: (typeof channels)[number]) =>
  new Set([
    ...payoutCases(channel).map(({ code }) => code),
    ...named(sourceOf('./stops.test.ts')),
    ...named(sourceOf('./pay-ins.test.ts')),
    ...named(sourceOf('./statements.test.ts')),
  ])
const whole = Object.entries(notYet).flatMap(([code, { part }]) => (part === 'whole' ? [code] : []))

it.each(channels)('every case is played over %s, or is said to wait for something', channel => {
  const known = [...Object.keys(requestCases), ...Object.keys(payInCases)] as (RequestCase | PayInCase)[]
  const played = playedIn(channel)
  const only = channel === 'mtn_momo' ? ['G20'] : []
  expect(known.filter(code => !played.has(code) && !whole.includes(code))).toEqual(only)
  expect(whole.filter(code => played.has(code))).toEqual([])
})

it('only what a bank does still waits', () => {
  expect(Object.entries(notYet).map(([code, { part }]) => `${code} ${part}`)).toEqual(['G28 whole'])
})
