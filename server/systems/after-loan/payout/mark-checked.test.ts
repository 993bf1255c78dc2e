import { describe, expect, it } from 'vitest'
import { loan } from '../../../../core/contract/after-loan/loan.ts'
import { common } from '../../../../core/contract/common/common.ts'
import { text } from '../../../../core/i18n/server.ts'
import { readyFile } from '../../../testing/ready-file.ts'
import { payoutsForTests } from '../../../testing/suites.ts'
import { payeeCheckerPerms, payoutPerms } from './payout-fixture.ts'

const p = await payoutsForTests()
const officer = await p.officer({ name: 'Officer', perms: [...payoutPerms, ...payeeCheckerPerms] })

describe('marking an account as checked', () => {
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

  it('is shown by evidence and counts for the code and its order once a second person agrees', async () => {
    const made = await p.approved({ bankCardNo: '9030001234567', verify: 'unavailable' })
    expect((await mark(made.loanCode, 7)).code).toBe(40902)
    const { approvalNo } = (await mark(made.loanCode)).data
    expect(await p.code(made.loanCode)).toMatchObject({ verifyResult: 'unavailable' })
    expect((await p.order(made.orderNo)).payoutVerify).toBe('unavailable')
    await p.run()
    expect((await p.code(made.loanCode)).waitReason).toBe('payee_unproven')
    const own = await p.call(common.approve, { approvalNo, version: 0 }, { as: officer })
    expect(own).toMatchObject({ code: 40301, msg: text('en', 'errors.makerChecker') })
    expect((await p.agree(approvalNo)).data.approvalStatus).toBe('executed')
    expect(await p.code(made.loanCode)).toMatchObject({ verifyResult: 'accepted', holderName: null })
    expect((await p.order(made.orderNo)).payoutVerify).toBe('accepted')
    expect(await mark(made.loanCode)).toMatchObject({ code: 40901, msg: text('en', 'errors.payeeIsVerified') })
  })

  it('is for a wallet of another name too, not for a network that was not asked, nor for what was sent', async () => {
    const unasked = await p.approved({ verify: 'not_verified' })
    expect(await mark(unasked.loanCode)).toMatchObject({ code: 40901, msg: text('en', 'errors.networkCanTell') })
    const wallet = await p.approved({ verify: 'failed' })
    expect((await p.agree((await mark(wallet.loanCode)).data.approvalNo)).code).toBe(0)
    await p.tick('payout.dispatch')
    await p.run()
    expect((await p.code(wallet.loanCode)).loanCodeStatus).toBe('remitting')
    expect((await mark((await p.succeeded()).loanCode)).code).toBe(40901)
  })
})
