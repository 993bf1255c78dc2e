import { describe, expect, it } from 'vitest'
import { yardsticks } from '../../../tests/yardstick.ts'
import { isKey } from '../../i18n/server.ts'
import { type FormatName, formats } from './formats.ts'

const good: Record<FormatName, string[]> = {
  phone: ['256123456789', '256770000001'],
  idNumber: ['CM920920920920', 'cf12345678ABCD', 'Cm00000000000Z'],
  money: ['0', '0.00', '120000.00', '120000.5', '9999999999999999.99'],
  signedMoney: ['-120000.00', '0.01'],
  rate: ['0', '0.0800', '8', '99.9999', '100', '100.00'],
  jobNo: ['UG1024', 'A12345', 'abcdefg1'],
  email: ['auditor@mkopo.example', 'a.b+c@mail.co.ug'],
  loginId: ['audi', 'auditor.1', 'a@mkopo.ug', 'x'.repeat(32)],
  bankCardNo: ['123456', '1'.repeat(20)],
  serialNo: ['MP241120.1530.H12345', '7', 'a'.repeat(64)],
  remark: ['', '客户已确认还款', '😀'.repeat(30)],
  taskName: ['Evening calls', ' a ', '任'.repeat(30)],
}
const bad: Record<FormatName, string[]> = {
  phone: [
    '',
    '256023456789',
    '25612345678',
    '2561234567890',
    '+256123456789',
    '255123456789',
    '256 123456789',
    '256123456789\n',
  ],
  idNumber: ['', 'CX920920920920', 'CM92092092092', 'CM9209209209200', 'CM92092092092-', 'CM920920920920 '],
  money: ['', '-1', '1.234', '1,000', '1e5', '.5', '5.', ' 5', '12345678901234567'],
  signedMoney: ['--1', '-', '+1', '-1.234'],
  rate: ['', '-1', '100.0001', '101', '0.08001', '1e1', '.5'],
  jobNo: ['', '123456', 'ABCDEF', 'A1234', 'A12345678', 'A-12345'],
  email: ['', 'a', 'a@', '@b.ug', 'a b@c.ug', 'a@b', 'a@-b.ug'],
  loginId: ['', 'abc', 'x'.repeat(33), 'a b c', 'имя1'],
  bankCardNo: ['', '12345', '1'.repeat(21), '1234 5678'],
  serialNo: ['', ' MP1', 'MP 1', '-1', 'a'.repeat(65)],
  remark: ['x'.repeat(31), '😀'.repeat(31)],
  taskName: ['', '   ', 'x'.repeat(31)],
}

describe.each(Object.keys(formats) as FormatName[])('%s', name => {
  const { pattern, message } = formats[name]
  it.each(good[name])('takes %j', value => expect(pattern.test(value)).toBe(true))
  it.each(bad[name])('refuses %j', value => expect(pattern.test(value)).toBe(false))
  it('says so in words', () => expect(isKey(message)).toBe(true))
})

it('answers at once to hostile text', async () => {
  const work = () => {
    for (const { pattern } of Object.values(formats))
      for (const text of ['a'.repeat(100_000), '1'.repeat(100_000), `a@${'a.'.repeat(50_000)}`]) pattern.test(text)
  }
  expect(await yardsticks(work)).toBeLessThan(20)
})
