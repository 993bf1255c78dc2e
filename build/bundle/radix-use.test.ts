import { expect, it } from 'vitest'
import { radixUse } from './radix-use.ts'

const { matches, names } = radixUse()

it.each([
  '.rt-Button',
  '.rt-BaseButton:where(.rt-r-size-3)',
  '.rt-SelectItem:where([data-disabled])',
  '.rt-Kbd:where(.rt-variant-classic)',
  '.rt-Badge:where(.rt-variant-outline)',
  '.rt-Button:not(.rt-SliderRoot)',
  ':where(.rt-SliderRoot,.rt-Button)',
  '.rt-r-mb-3',
  '.rt-r-jc-space-between',
  '.rt-r-fd-column',
  '.rt-reset:where(a)',
])('%s can match', selector => expect(matches(selector)).toBe(true))

it.each([
  '.rt-SliderRoot',
  '.rt-Button .rt-SliderThumb',
  '.rt-Button:where(.rt-SliderRoot)',
  '.rt-BaseButton:where(.rt-variant-classic)',
  '.rt-BaseButton:where(.rt-variant-solid:where(.rt-high-contrast))',
  '.rt-r-gcs-3',
  '.-rt-r-mx-2',
  '.rt-r-mb-8',
])('%s matches nothing', selector => expect(matches(selector)).toBe(false))

it('knows words of sources and of components in use', () => {
  expect(['--gray-11', '--no-such-value'].map(names)).toEqual([true, false])
})
