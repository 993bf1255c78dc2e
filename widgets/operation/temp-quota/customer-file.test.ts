import { expect, test } from 'vitest'
import { customersOfFile } from './customer-file.ts'

test('the first column is taken, without its name and each customer once', () => {
  expect(
    customersOfFile('\uFEFFphone,name\r\n256772000001,Ruth\r\n"256772000002";x\n256772000001\n\nCU12\tgold'),
  ).toEqual(['256772000001', '256772000002', 'CU12'])
})
