import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MailVendor } from '../gateways/mail/mail-vendor.ts'
import { smtp } from '../gateways/mail/smtp.ts'
import { end, freshDir, startProcess } from './testing.ts'

type Kept = { messages: { to: string; from: string; subject: string; body: string }[] }

let stop: () => Promise<void>
let control: string
let mail: MailVendor

beforeEach(async () => {
  const { child, line } = await startProcess('simulator-mail', { PORT: '0', SMTP_PORT: '0', DATA_DIR: freshDir() })
  const { listening, smtp: port } = JSON.parse(line) as { listening: number; smtp: number }
  control = `http://127.0.0.1:${listening}`
  mail = smtp({
    ...{ url: `smtp://127.0.0.1:${port}`, from: 'Nile Credit <no-reply@nile.example>' },
    ...{ requireTls: false, timeoutMs: 2_000 },
  })
  stop = () => end(child)
})
afterEach(() => stop())

const send = (to: string, subject = 'Hello', body = 'Words') => mail.send({ messageNo: 'MS1', to, subject, body })
const kept = async () => ((await (await fetch(`${control}/_sim/messages`)).json()) as Kept).messages
const mode = (name: string) => fetch(`${control}/_sim/switch`, { method: 'POST', body: JSON.stringify({ mode: name }) })

describe('letters by the adapter and the simulated mail server', () => {
  it('arrive with every letter of every language, and a line that is a dot', async () => {
    const body =
      '您的验证码是 123456，10分钟内有效。\n\nMsimbo wako: 654321\n.\n..two\nhttps://console.example/Index/Login#link=abc_DEF-1'
    expect(await send('grace@nile.example', '您的登录验证码 – Msimbo wako', body)).toMatchObject({
      is: 'accepted',
      vendorRef: '<MS1@nile.example>',
    })
    expect(await kept()).toMatchObject([
      { to: 'grace@nile.example', from: 'no-reply@nile.example', subject: '您的登录验证码 – Msimbo wako', body },
    ])
  })

  it('keep to one receiver and one subject, whatever stands in them', async () => {
    await send('grace@nile.example', 'One\r\nBcc: thief@evil.example', 'Words')
    const [letter] = await kept()
    expect(letter?.to).toBe('grace@nile.example')
    expect(await kept()).toHaveLength(1)
  })

  it('are refused, put off, and unknown where the answer was lost', async () => {
    expect(await send('refused@nile.example')).toEqual({ is: 'refused', reason: 'smtp 550' })
    expect(await send('later@nile.example')).toEqual({ is: 'later', reason: 'smtp 451' })
    expect((await send('lost@nile.example')).is).toBe('unknown')
    expect((await kept()).map(({ to }) => to)).toEqual(['lost@nile.example'])
  })

  it('meet a server that refuses all', async () => {
    await mode('refuse')
    expect((await send('grace@nile.example')).is).toBe('refused')
    await mode('ok')
    expect((await send('grace@nile.example')).is).toBe('accepted')
  })

  it('are offered again where nobody listens', async () => {
    const nowhere = smtp({ url: 'smtp://127.0.0.1:9', from: 'a@nile.example', requireTls: false, timeoutMs: 2_000 })
    const handed = await nowhere.send({ messageNo: 'MS1', to: 'grace@nile.example', subject: 's', body: 'b' })
    expect(handed.is).toBe('later')
  })
})
