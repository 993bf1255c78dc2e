import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { loan } from '../../../../../core/contract/after-loan/loan.ts'
import { common } from '../../../../../core/contract/common/common.ts'
import { text } from '../../../../../core/i18n/server.ts'
import type { Person } from '../../../../testing/kit.ts'
import { readyFile } from '../../../../testing/ready-file.ts'
import { payoutsForTests } from '../../../../testing/suites.ts'
import { otherPayee, paid, payee, payeeCheckerPerms, payoutPerms } from '../payout-fixture.ts'

const p = await payoutsForTests()
const officer = await p.officer({ name: 'Officer' })
const _outsider = await p.officer({ limit: 'own_merchants', merchants: ['M2'] })

const _creditOf = async (orderNo: string) =>
  (
    await p.one<{ remainingLimit: string }>(
      sql`select remaining_limit from customer join loan_order using (customer_no) where order_no = ${orderNo}`,
    )
  ).remainingLimit
const auditOf = (objectNo: string) =>
  p.db.read(tx =>
    tx.rows(
      sql<{
        action: string
        before: object | null
        after: object | null
      }>`select action, before, after from audit_log where object_no = ${objectNo} order by audit_no`,
    ),
  )
const oneRow = (code: number) =>
  expect.objectContaining({ data: expect.objectContaining({ rows: [expect.objectContaining({ code })] }) })

describe('correcting the payee', () => {
  const correct = (loanCode: string, walletAccount = otherPayee) => p.correct(loanCode, { walletAccount }, officer)
  const corrected = (loanCode: string, walletAccount = otherPayee) => p.corrected(loanCode, { walletAccount }, officer)
  const recreate = async (loanCode: string) =>
    p.call(loan.recreate, { loanCode, version: await p.versionOf(loanCode) }, { as: officer })
  const toBank = {
    payoutType: 'bank',
    payoutSubtype: 'bank_transfer',
    bankName: 'Stanbic Bank',
    branch: 'Kampala Road',
    bankCardNo: '9030001234567',
    cardholderName: 'Grace Nakato',
  } as const

  it('after-loan 2: counts once a second person agrees with their own code; then the code is replaced once, and paid there', async () => {
    const made = await p.failed('payee_invalid')
    const asked = await correct(made.loanCode)
    expect(asked).toMatchObject({ code: 0, data: { verifyResult: 'passed' } })
    const { approvalNo } = asked.data
    expect(await p.order(made.orderNo)).toMatchObject({ walletAccount: payee })
    expect(await recreate(made.loanCode)).toMatchObject({ code: 40901, msg: text('en', 'errors.payeeUnchanged') })
    const second = await p.person({ perms: payeeCheckerPerms })
    const approve = (o: { as: Person; unproven?: true }) => p.call(common.approve, { approvalNo, version: 0 }, o)
    const both = await p.person({ perms: [...payeeCheckerPerms, ...payoutPerms] })
    expect(await approve({ as: second, unproven: true })).toMatchObject({ code: 40302 })
    expect((await approve({ as: officer })).code).toBe(40301)
    expect((await p.correct(made.loanCode, { walletAccount: '256772000042' }, both)).code).toBe(40901)
    expect((await approve({ as: second })).data).toMatchObject({ approvalStatus: 'executed' })
    expect((await p.call(loan.detail, { loanCode: made.loanCode }, { as: officer })).data.code).toMatchObject({
      verifyResult: 'passed',
      walletAccount: payee,
    })
    const version = await p.versionOf(made.loanCode)
    const answers = await Promise.all(
      [1, 2].map(() => p.call(loan.recreate, { loanCode: made.loanCode, version }, { as: officer })),
    )
    expect(answers.map(answer => answer.code).sort()).toEqual([0, 40902])
    const loanCode = answers.find(answer => answer.code === 0)!.data.loanCode
    p.queries.push(paid({ payee: otherPayee }))
    await p.run()
    await p.pass(60)
    expect(await p.stateOf({ ...made, loanCode })).toEqual(['success', 'funds_disbursed'])
    expect((await p.code(made.loanCode)).loanCodeStatus).toBe('cancelled')
    expect(await p.attempt(loanCode)).toMatchObject({ payee: otherPayee })
    expect(
      await p.one(sql`select wallet_account, changed_by from order_payout_history where order_no = ${made.orderNo}`),
    ).toEqual({ walletAccount: payee, changedBy: officer.userNo })
  })

  it('may name an account at a bank, whole', async () => {
    const made = await p.failed('payee_invalid')
    const ask = async (account: Record<string, unknown>) =>
      p.call(
        loan.userInfo,
        {
          loanCode: made.loanCode,
          version: await p.versionOf(made.loanCode),
          evidence: await readyFile(p.db, officer.userNo),
          ...toBank,
          ...account,
        },
        { as: officer },
      )
    expect(await ask({ bankName: undefined })).toMatchObject({
      code: 40001,
      msg: text('en', 'validation.infoComplete'),
    })
    expect(await ask({ bankCardNo: '12' })).toMatchObject({ code: 40001, msg: text('en', 'validation.bankCardFormat') })
    expect(await ask({ payoutSubtype: 'mtn' })).toMatchObject({ code: 40001 })
    const { data } = await ask({})
    expect(data.verifyResult).toBe('unavailable')
    expect((await p.agree(data.approvalNo)).data.approvalStatus).toBe('executed')
    expect(await p.order(made.orderNo)).toMatchObject({
      ...toBank,
      walletAccount: null,
      payoutVerify: 'accepted',
      payoutHolderName: null,
    })
    const again = await recreate(made.loanCode)
    expect(await p.code(again.data.loanCode)).toMatchObject({
      ...toBank,
      channel: 'bank_file',
      verifyResult: 'accepted',
    })
    expect(await ask({})).toMatchObject({ code: 40901 })
  })

  it('may be corrected twice in one instant, and every account that it had is kept', async () => {
    const made = await p.failed('payee_invalid')
    expect((await corrected(made.loanCode)).code).toBe(0)
    expect(await correct(made.loanCode)).toMatchObject({ code: 40001, msg: text('en', 'errors.dataExists') })
    expect((await corrected(made.loanCode, '256772000051')).code).toBe(0)
    const kept = await p.db.read(tx =>
      tx.rows(
        sql<{
          walletAccount: string
        }>`select wallet_account from order_payout_history where order_no = ${made.orderNo} order by changed_time`,
      ),
    )
    expect(kept.map(row => row.walletAccount)).toEqual([payee, otherPayee])
  })

  it('keeps the account out of the audit log, and masks it for a second person who may not see it', async () => {
    const made = await p.failed('payee_invalid')
    await correct(made.loanCode)
    const [line] = await auditOf(made.loanCode)
    expect(line).toMatchObject({
      action: 'payout.correctPayee',
      before: { walletAccount: '25********31' },
      after: { walletAccount: '25********41', verifyResult: 'passed' },
    })
    expect(JSON.stringify(line)).not.toContain(otherPayee)
    const linesFor = async (sensitive: readonly string[]) => {
      const as = await p.person({ perms: payeeCheckerPerms, sensitive })
      const { data } = await p.call(common.approvals, { objectNo: made.loanCode }, { as })
      return data.list[0]!.summary
    }
    expect(await linesFor(['pii:unmask'])).toContainEqual({
      label: text('en', 'fields.walletAccount'),
      before: payee,
      after: otherPayee,
    })
    expect(JSON.stringify(await linesFor([]))).not.toMatch(/2567720000|Nakato/)
  })

  it('to an account of another name is the decision of two persons, who read that it does not match', async () => {
    const made = await p.failed('payee_invalid')
    expect(await recreate(made.loanCode)).toMatchObject({ code: 40901, msg: text('en', 'errors.payeeUnchanged') })
    p.holders.set(otherPayee, 'Somebody Else')
    const { data } = await correct(made.loanCode)
    expect(data).toEqual({ approvalNo: data.approvalNo, verifyResult: 'failed' })
    const second = await p.person({ perms: payeeCheckerPerms })
    const shown = (await p.call(common.approvals, { objectNo: made.loanCode }, { as: second })).data.list[0]
    expect(shown?.summary).toContainEqual({ label: text('en', 'afterLoan.nameCheck'), before: null, after: 'Failed' })
    expect(JSON.stringify(shown)).not.toContain('Somebody Else')
    await p.call(common.approve, { approvalNo: data.approvalNo, version: 0 }, { as: second })
    expect((await p.order(made.orderNo)).payoutVerify).toBe('accepted')
    expect((await recreate(made.loanCode)).code).toBe(0)
  })

  it('changes nothing when the second person refuses', async () => {
    const made = await p.failed('payee_invalid')
    const { data } = await correct(made.loanCode)
    const second = await p.person({ perms: payeeCheckerPerms })
    const input = { approvalNo: data.approvalNo, version: 0, reason: 'not hers' }
    expect((await p.call(common.reject, input, { as: second })).code).toBe(0)
    expect(await p.order(made.orderNo)).toMatchObject({ walletAccount: payee, payoutVerify: 'passed' })
    const retried = await p.call(loan.retry, { loanCodes: [made.loanCode], accountChecked: true }, { as: officer })
    expect(retried).toEqual(oneRow(0))
  })

  it('is not followed by a retry to the old account', async () => {
    const made = await p.failed()
    await corrected(made.loanCode)
    const { data } = await p.call(loan.retry, { loanCodes: [made.loanCode] }, { as: officer })
    expect(data.rows[0]).toMatchObject({ code: 40901, msg: 'The payee was corrected; choose “Recreate loan code”' })
  })

  it('is refused unless the payout failed, and for a stale version', async () => {
    const open = await p.approved()
    expect(await correct(open.loanCode)).toMatchObject({ code: 40901, data: { status: 'created' } })
    const dead = await p.failed()
    expect(await p.call(loan.recreate, { loanCode: dead.loanCode, version: 0 }, { as: officer })).toMatchObject({
      code: 40902,
    })
  })

  it('holds the payout until the second person has decided', async () => {
    const made = await p.failed('payee_invalid')
    const { data } = await correct(made.loanCode)
    const giveUp = () => p.call(loan.cancel, { loanCodes: [made.loanCode], reason: 'duplicate' }, { as: officer })
    expect(await giveUp()).toEqual(oneRow(40901))
    expect((await p.agree(data.approvalNo)).code).toBe(0)
    expect(await giveUp()).toEqual(oneRow(0))
  })

  it('goes on from a re-withdrawal that finance allowed', async () => {
    const made = await p.failed('payee_invalid')
    expect(
      await p.call(
        loan.allowReWithdraw,
        { orderNo: made.orderNo, version: await p.versionOf(made.loanCode) },
        { as: officer },
      ),
    ).toMatchObject({ code: 0 })
    expect(await p.stateOf(made)).toEqual(['failed', 're_withdrawal_allowed'])
    expect(await p.call(loan.retry, { loanCodes: [made.loanCode], accountChecked: true }, { as: officer })).toEqual(
      oneRow(40901),
    )
    await corrected(made.loanCode)
    expect(await recreate(made.loanCode)).toMatchObject({ code: 0 })
    expect((await p.order(made.orderNo)).orderStatus).toBe('pending_disbursement')
  })

  it('allows re-withdrawal only where the customer can help', async () => {
    const made = await p.failed('our_balance')
    const version = (await p.order(made.orderNo)).version
    expect(await p.call(loan.allowReWithdraw, { orderNo: made.orderNo, version }, { as: officer })).toMatchObject({
      code: 40901,
      msg: 'The customer cannot correct this failure, so re-withdrawal cannot be allowed',
    })
    expect(
      await p.call(loan.allowReWithdraw, { orderNo: made.orderNo, version: version + 7 }, { as: officer }),
    ).toMatchObject({ code: 40902 })
  })
})
