import { afterEach, expect, it, vi } from 'vitest'
import { exports } from '../../contract/common/exports.ts'
import { callFile } from '../call.ts'

const server = { baseUrl: 'https://console.example/api', token: () => 'secret', language: () => 'en' }
const input = { exportNo: 'EX1' }
const answering = (response: Response) => {
  const sent = vi.fn<typeof fetch>(async () => response)
  vi.stubGlobal('fetch', sent)
  return sent
}
afterEach(() => vi.unstubAllGlobals())

it('fetches a file with the token in the header, never in the address', async () => {
  const sent = answering(new Response('a,b\r\n', { headers: { 'content-type': 'text/csv; charset=utf-8' } }))
  expect(await (await callFile(server, exports.file, input)).text()).toBe('a,b\r\n')
  const [address, options] = sent.mock.calls[0]!
  expect(address).toBe('https://console.example/api/common/export/EX1/file')
  expect(options?.headers).toMatchObject({ token: 'secret' })
})

it('hears a refusal that stands where the file should be', async () => {
  answering(Response.json({ code: 40901, msg: 'The state is now Expired', data: { status: 'expired' } }))
  await expect(callFile(server, exports.file, input)).rejects.toMatchObject({
    code: 40901,
    data: { status: 'expired' },
  })
})

it('takes what is neither file nor envelope for no answer', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  answering(new Response('<html>', { status: 502, headers: { 'content-type': 'text/html' } }))
  await expect(callFile(server, exports.file, input)).rejects.toMatchObject({ status: 502 })
})
