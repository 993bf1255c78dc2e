import { expect, test } from 'vitest'
import { browserName } from './browser-name.ts'

const like =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36'
test.each([
  [like, 'Chrome 147 · Windows'],
  [`${like} Edg/146.0.1`, 'Edge 146 · Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox 140 · Linux'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Safari/605.1.15',
    'Safari 19 · macOS',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15; SM-A155F) AppleWebKit/537.36 Chrome/147.0 Mobile Safari/537.36',
    'Chrome 147 · Android',
  ],
  ['curl/8.9', 'curl/8.9'],
  [null, null],
])('%s is %s', (agent, name) => {
  expect(browserName(agent)).toBe(name)
})
