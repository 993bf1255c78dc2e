import { expect, it } from 'vitest'
import { routes } from '../../../../core/contract/routes.ts'
import { languages } from '../../../../core/i18n/language.ts'
import { nameOf } from './codes.ts'

it('has words for every code of a page, in each language', () => {
  const codes = [...new Set(routes.flatMap(route => route.actions))]
  expect(codes.length).toBeGreaterThan(300)
  expect(languages.flatMap(language => codes.filter(code => nameOf(language, code) === code))).toEqual([])
})

it('names the right to check another’s work after that work', () => {
  expect(nameOf('en', 'user:resetMfa:check')).toBe('Check: Reset authenticators (user:resetMfa:check)')
  expect(nameOf('en', 'refund:check')).toBe('Check refunds (refund:check)')
})
