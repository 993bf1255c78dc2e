import { expect, it } from 'vitest'
import { effectFits, normalValue, valuesIn } from './name-list.ts'

it('keeps values in one form, and none of another dimension', () => {
  expect([
    normalValue('phone', ' 256 772 345 678 '),
    normalValue('idNumber', 'cm9201 2345abcd'),
    normalValue('deviceId', 'ab:cd-12'),
  ]).toEqual(['256772345678', 'CM92012345ABCD', 'AB:CD-12'])
  for (const [dimension, text] of [
    ['phone', 'CM92012345ABCD'],
    ['phone', '0772345678'],
    ['idNumber', '256772345678'],
    ['bankCardNo', '12'],
    ['deviceId', 'a b;drop'],
  ] as const)
    expect(normalValue(dimension, text), text).toBeNull()
})

it('takes each value of a text once', () =>
  expect(valuesIn('256772345678\n\n 256772345678 \r\n256772345679')).toEqual(['256772345678', '256772345679']))

it('lets no white list refuse and no black list pass', () => {
  expect([effectFits('black', 'refuse'), effectFits('grey', 'flag'), effectFits('white', 'skip')]).toEqual([
    true,
    true,
    true,
  ])
  expect([
    effectFits('white', 'refuse'),
    effectFits('black', 'skip'),
    effectFits('black', 'flag'),
    effectFits('grey', 'refuse'),
    effectFits('pink', 'flag'),
  ]).toEqual([false, false, false, false, false])
})
