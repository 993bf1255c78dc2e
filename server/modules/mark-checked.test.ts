import { describe, expect, it } from 'vitest'
import { loan } from '../../core/contract/loan.ts'
import { text } from '../../core/i18n/server.ts'
import { readyFile } from '../testing/ready-file.ts'
import { payoutsForTests } from '../testing/suites.ts'

const p = await payoutsForTests()
const officer = await p.officer({ name: 'Officer' })

describe('marking a bank account as checked', () => {
  const mark = async (loanCode: string, version?: number) =>
    p.call(
      loan.markChecked,
      {
        loanCode,
        version: version ?? (await p.code(loanCode)).version,
        evidence: await readyFile(p.db, officer.userNo),
      },
      { as: officer },
    )

  it('is shown by evidence, for the code and its order', async () => {
    const made = await p.approved({ bankCardNo: '9030001234567', verify: 'unavailable' })
    expect((await mark(made.loanCode, 7)).code).toBe(40902)
    expect((await mark(made.loanCode)).data).toEqual({ verifyResult: 'passed' })
    expect(await p.code(made.loanCode)).toMatchObject({ verifyResult: 'passed', holderName: null })
    expect((await p.order(made.orderNo)).payoutVerify).toBe('passed')
    expect(await mark(made.loanCode)).toMatchObject({ code: 40901, msg: text('en', 'errors.payeeIsVerified') })
  })

  it('is not for a network that can tell, nor for what was sent', async () => {
    const wallet = await p.failed('other', { verify: 'failed' })
    expect(await mark(wallet.loanCode)).toMatchObject({ code: 40901, msg: text('en', 'errors.networkCanTell') })
    expect((await p.code(wallet.loanCode)).verifyResult).toBe('failed')
    expect((await mark((await p.succeeded()).loanCode)).code).toBe(40901)
  })
})
