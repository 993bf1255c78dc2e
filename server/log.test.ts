import { describe, expect, it } from 'vitest'
import { createLog, faultOf, scrub } from './log.ts'

const logged = (write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown>[] => {
  const lines: string[] = []
  write(createLog('info', { write: line => void lines.push(line) }))
  return lines.map(line => JSON.parse(line))
}

describe('the log', () => {
  it('writes a line with time, level, known fields and message', () => {
    const [line] = logged(log => log.info({ event: 'http', method: 'POST', status: 200, orderNo: 'UG1' }, 'request'))
    expect(line).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      event: 'http',
      method: 'POST',
      status: 200,
      orderNo: 'UG1',
      msg: 'request',
    })
  })

  it('L8: leaves out every field that is not on its list, in lines and in children', () => {
    const secrets = {
      token: 'tok-abc',
      password: 'pw-abc',
      phone: '+256772123456',
      idNumber: 'CM90000000ABCD',
      authorization: 'Bearer x-abc',
      body: { password: 'pw-abc' },
      err: undefined,
      userNo: { phone: '+256772123456' },
    }
    const text = JSON.stringify(
      logged(log => {
        log.info(secrets, 'sign-in')
        log.child({ ...secrets, queue: 'sms' }).warn({ ...secrets, jobId: 1 }, 'job')
      }),
    )
    expect(text).not.toMatch(/abc|772123456|CM9/)
    expect(text).toContain('"queue":"sms"')
    expect(text).toContain('"jobId":1')
  })

  it('L8: writes what an error is, without what it carries', () => {
    const error = Object.assign(
      new Error('Key (phone)=(+256772123456) of amina@example.com', {
        cause: new Error('token 0f3a9c1b2d4e5f60718293a4b5c6d7e8'),
      }),
      {
        code: '23505',
        constraint: 'customer_phone',
        detail: 'Key (phone)=(+256772123456)',
        parameters: ['+256772123456'],
      },
    )
    const lines = logged(log => {
      log.error({ err: error, event: 'x' }, 'failed')
      log.error(error)
    })
    for (const line of lines) {
      expect(line.err).toMatchObject({
        type: 'Error',
        code: '23505',
        constraint: 'customer_phone',
        stack: expect.stringContaining('    at '),
      })
      expect(JSON.stringify(line)).not.toMatch(/772123456|amina|0f3a9c1b/)
    }
  })

  it('L9: keeps line breaks, escapes of terminals and made-up fields of strangers inside one line', () => {
    const lines: string[] = []
    const log = createLog('info', { write: line => void lines.push(line) })
    const forged: string = 'UG1\r\n{"level":"error","msg":"paid"}\n\u001b[2J\u2028","status":200,"x":"'
    log.info({ orderNo: forged, event: 'http', [forged]: 1 }, `request ${forged}`)
    expect(lines).toHaveLength(1)
    for (const sign of ['\r', '\n', '\u001b']) expect(lines[0]?.trimEnd()).not.toContain(sign)
    const line = JSON.parse(lines[0] as string) as Record<string, unknown>
    expect(Object.keys(line).sort()).toEqual(['event', 'level', 'msg', 'orderNo', 'time'])
    expect(line).toMatchObject({ level: 'info', orderNo: forged })
  })

  it('says nothing below its level', () => {
    expect(logged(log => log.debug('quiet'))).toEqual([])
  })

  it.each([
    ['call +256772123456 back', 'call [digits] back'],
    ['NIN CM90000000ABCD', 'NIN [id]'],
    ['postgres://mkopo:pw@db/x', 'postgres://[secret]@db/x'],
    ['took 1500 ms in order 42', 'took 1500 ms in order 42'],
    ['at amina.k@example.com', 'at [mail]'],
  ])('scrubs "%s"', (text, clean) => {
    expect(scrub(text)).toBe(clean)
  })

  it('can describe what is not an error', () => {
    expect(faultOf('broken')).toEqual({ type: 'string', message: 'broken' })
  })
})
