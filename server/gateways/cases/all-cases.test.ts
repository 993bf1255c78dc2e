import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { payInCases, requestCases } from '../../simulators/network/cases.ts'
import { payoutCases } from './payouts.ts'
import { channels } from './wallet-fixture.ts'

const sourceOf = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')
const named = (source: string): Set<string> => new Set(source.match(/(?<=it(?:\.each\(\w+\))?\('(?:%s )?)[GR]\d\d/g))
const playedIn = (channel: (typeof channels)[number]) =>
  new Set([
    ...payoutCases(channel).map(({ code }) => code),
    ...named(sourceOf('./stops.test.ts')),
    ...named(sourceOf('./pay-ins.test.ts')),
    ...named(sourceOf('./statements.test.ts')),
  ])

it.each(channels)('every case of a network is played over %s', channel => {
  const known = [...Object.keys(requestCases), ...Object.keys(payInCases)]
  const played = playedIn(channel)
  const only = channel === 'mtn_momo' ? ['G20'] : []
  expect(known.filter(code => !played.has(code))).toEqual(only)
})
