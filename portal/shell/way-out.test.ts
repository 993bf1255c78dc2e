import { expect, test } from 'vitest'
import { leadingOut } from './way-out.ts'

const given = { code: 'mkopo_handoff_x', language: 'sw', redirect: 'https://console.example' }

test('K3: an address keeps its own query and hash, and carries a code in the place of a token', () => {
  const url = new URL(leadingOut('https://crm.example/today?list=calls&token=old#top', given))
  expect(Object.fromEntries(url.searchParams)).toEqual({
    list: 'calls',
    token: 'mkopo_handoff_x',
    language: 'sw',
    country: 'UGA',
    redirect: 'https://console.example',
  })
  expect(url.hash).toBe('#top')
})
