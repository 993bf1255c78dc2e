import { expect, test } from 'vitest'
import { auditManage } from '../contract/audit/order-list.ts'
import { field, metaOf } from '../contract/fields.ts'
import { warningLevels } from '../contract/portal/warning.ts'
import { minutesText, plain, secondsText, type Words } from './plain.ts'
import { words as wordsIn } from './server.ts'

/** Says the key and its values, so that the choice of words is what is tested. */
const words = Object.assign(
  (key: string, params?: object) => [key.replace('common.', ''), ...Object.values(params ?? {})].join(' '),
  { maybe: () => undefined },
) as Words

test.each([
  [0, 'seconds 0'],
  [59, 'seconds 59'],
  [60, 'minutesSeconds 1 00'],
  [754, 'minutesSeconds 12 34'],
  [3_599, 'minutesSeconds 59 59'],
  [3_600, 'hoursMinutes 1 00'],
  [7_530, 'hoursMinutes 2 06'],
])('%i seconds are said as %s', (seconds, said) => {
  expect(secondsText(words, seconds)).toBe(said)
})

test.each([
  [59, 'minutes 59'],
  [60, 'hoursMinutes 1 00'],
  [2_879, 'hoursMinutes 47 59'],
  [2_880, 'daysHours 2 0'],
])('%i minutes are said as %s', (minutes, said) => {
  expect(minutesText(words, minutes)).toBe(said)
})

test('a value that others may add to is said in words where it has some, in each language', () => {
  const meta = metaOf(auditManage.manageList.row.shape.incomingChannel)
  expect((['zh', 'en', 'sw'] as const).map(language => plain(wordsIn(language), meta, 'agent'))).toEqual([
    '代理人',
    'Agent',
    'Wakala',
  ])
  expect(plain(wordsIn('en'), meta, 'kiosk')).toBe('kiosk')
})

test('a row of a small table is said part by part, dictionaries in words and days with their sign', () => {
  const reminder = field.rows({ day: field.int(), at: field.clock(), level: field.dict(warningLevels) }, 3)
  const said = (value: object) => plain(wordsIn('en'), metaOf(reminder), value)
  expect(said({ level: 'critical', at: '09:00', day: 2 })).toBe('+2 09:00 Critical')
  expect(said({ day: -2, at: null })).toBe('-2')
})

test.each([
  [['fri', 'mon', 'tue', 'wed', 'thu'], 'Mon–Fri'],
  [['sun', 'mon', 'tue', 'wed'], 'Mon–Wed, Sun'],
  [['sat', 'sun'], 'Sat, Sun'],
])('the days %j are said as %s', (days, said) => {
  expect(plain(wordsIn('en'), metaOf(field.weekDays()), days)).toBe(said)
})

test('a share is said with its sign', () => {
  expect(plain(wordsIn('en'), metaOf(field.percent()), '12.5')).toBe('12.5%')
})
