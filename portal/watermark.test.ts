import { expect, test } from 'vitest'
import { watermarkOf } from './watermark.ts'

const drawn = (words: string) =>
  decodeURIComponent(/^url\("data:image\/svg\+xml,([^"]*)"\)$/.exec(watermarkOf(words))?.[1] ?? '')

test('L12: a watermark is one picture of its words, whatever they are', () => {
  expect(drawn('grace.nakato 2026-03-02')).toContain('>grace.nakato 2026-03-02</text>')
  const hostile = drawn('"); } </text><script>1</script>')
  expect(hostile.match(/<\w+/g)).toEqual(['<svg', '<text'])
})
