import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { text } from '../../../../core/i18n/server.ts'
import type { Person } from '../../../testing/kit.ts'
import { readyFile } from '../../../testing/ready-file.ts'
import { auditorPerms } from '../../../testing/review-floor.ts'
import { floorForTests } from '../../../testing/suites.ts'

const { audit, common, order } = contract
const { floor, who, allotted, opened } = await floorForTests({ name: 'Grace Auma' })

describe('the payout account', () => {
  const accountOf = (orderNo: string) =>
    floor.one(
      sql<{
        walletAccount: string
        payoutVerify: string
        payoutHolderName: string | null
        version: number
      }>`select wallet_account, payout_verify, payout_holder_name, version from loan_order where order_no = ${orderNo}`,
    )

  it('is verified by asking the network for its holder', async () => {
    const task = await opened({ payoutVerify: 'not_verified', phone: '256772000031' })
    const held = { orderNo: task.orderNo, leaseToken: task.leaseToken }
    const verify = () => floor.call(audit.verifyPayout, held, { as: who })
    floor.holders.set('256772000031', 'NAKATO Sarah')
    expect((await verify()).data).toEqual({ verifyResult: 'passed', holderName: 'NAKATO Sarah', matchScore: 1 })
    expect(await accountOf(task.orderNo)).toMatchObject({
      payoutVerify: 'passed',
      payoutHolderName: 'NAKATO Sarah',
      version: task.orderVersion,
    })
    floor.holders.set('256772000031', 'Sarah Achieng')
    expect((await verify()).data).toEqual({ verifyResult: 'failed', holderName: 'Sarah Achieng', matchScore: 0.5 })
    floor.holders.delete('256772000031')
    expect((await verify()).data).toEqual({ verifyResult: 'failed', holderName: null, matchScore: null })
    floor.holders.set('256772000031', 'silent')
    expect((await verify()).data).toEqual({ verifyResult: 'unavailable', holderName: null, matchScore: null })
    expect(await floor.call(audit.submit, { ...floor.passing(task) }, { as: who })).toMatchObject({
      code: 40001,
      msg: 'The payout account has not passed verification',
    })
  })

  it('is unavailable when the network takes longer than five seconds', async () => {
    const task = await opened({ phone: '256772000032' })
    const { verifyHolder } = await import('../../after-loan/payout/payee/holder.ts')
    vi.useFakeTimers()
    try {
      const never = { verifyHolder: () => new Promise<never>(() => undefined) } as unknown as Parameters<
        typeof verifyHolder
      >[0]['mtn_momo']
      const asked = verifyHolder(
        { mtn_momo: never },
        { payoutSubtype: 'mtn', walletAccount: '256772000032' },
        { customerName: 'Sarah Nakato', phone: '256772000032' },
      )
      await vi.advanceTimersByTimeAsync(5_000)
      expect(await asked).toMatchObject({ verifyResult: 'unavailable' })
    } finally {
      vi.useRealTimers()
    }
    expect(task.orderNo).toBeTruthy()
  })

  it('is changed with the old one kept, verified at once, and without clear values in the log', async () => {
    const task = await opened({ phone: '256772000041' })
    const held = { orderNo: task.orderNo, leaseToken: task.leaseToken }
    const account = {
      payoutType: 'wallet' as const,
      payoutSubtype: 'mtn' as const,
      walletAccount: '256772000042',
      cardholderName: 'Sarah Nakato',
    }
    floor.holders.set('256772000042', 'Sarah Nakato')
    expect((await floor.call(audit.changePayout, { ...held, ...account }, { as: who })).data).toEqual({
      verifyResult: 'passed',
      holderName: null,
    })
    expect(await accountOf(task.orderNo)).toEqual({
      walletAccount: '256772000042',
      payoutVerify: 'passed',
      payoutHolderName: null,
      version: task.orderVersion + 1,
    })
    expect(
      await floor.rows(
        sql`select wallet_account, changed_by from order_payout_history where order_no = ${task.orderNo}`,
      ),
    ).toEqual([{ walletAccount: '256772000041', changedBy: who.userNo }])
    const line = await floor.one(
      sql<{
        text: string
      }>`select before::text || after::text as text from audit_log where action = 'payout.change' and order_no = ${task.orderNo}`,
    )
    expect(line.text).toContain('25********42')
    for (const secret of ['256772000041', '256772000042', 'Sarah']) expect(line.text).not.toContain(secret)
    expect(await floor.call(audit.changePayout, { ...held, ...account }, { as: who })).toMatchObject({
      code: 40001,
      msg: 'Data already exists',
    })
    expect(await floor.call(audit.submit, floor.passing(task), { as: who })).toMatchObject({ code: 40902 })
    expect(
      await floor.call(audit.submit, { ...floor.passing(task), version: task.orderVersion + 1 }, { as: who }),
    ).toMatchObject({ code: 0 })
  })

  it('order-audit 4: stops Pass while the new account is not verified', async () => {
    const task = await opened({ phone: '256772000051' })
    const account = {
      payoutType: 'wallet' as const,
      payoutSubtype: 'airtel' as const,
      walletAccount: '256702000052',
      cardholderName: 'Sarah Nakato',
    }
    expect(
      (
        await floor.call(
          audit.changePayout,
          { orderNo: task.orderNo, leaseToken: task.leaseToken, ...account },
          { as: who },
        )
      ).data,
    ).toEqual({ verifyResult: 'unavailable', holderName: null })
    const before = await floor.snapshot()
    expect(
      await floor.call(audit.submit, { ...floor.passing(task), version: task.orderVersion + 1 }, { as: who }),
    ).toMatchObject({ code: 40001, msg: 'The payout account has not passed verification' })
    expect(await floor.snapshot()).toBe(before)
  })

  it('is complete and of one kind', async () => {
    const task = await opened()
    const change = (account: object) =>
      floor.call(audit.changePayout, { orderNo: task.orderNo, leaseToken: task.leaseToken, ...account } as never, {
        as: who,
      })
    expect(await change({ payoutType: 'wallet', payoutSubtype: 'mtn', cardholderName: 'S N' })).toMatchObject({
      code: 40001,
      msg: 'Please provide complete information',
    })
    expect(
      await change({ payoutType: 'wallet', payoutSubtype: 'mtn', walletAccount: '0772000042', cardholderName: 'S N' }),
    ).toMatchObject({ code: 40001, msg: 'Phone format incorrect, e.g. 256123456789' })
    expect(
      await change({
        payoutType: 'wallet',
        payoutSubtype: 'bank_transfer',
        walletAccount: '256772000042',
        cardholderName: 'S N',
      }),
    ).toMatchObject({ code: 40001, data: { fields: [{ path: 'payoutSubtype' }] } })
    expect(
      await change({
        payoutType: 'bank',
        payoutSubtype: 'bank_transfer',
        bankName: 'Stanbic',
        bankCardNo: '12',
        cardholderName: 'S N',
      }),
    ).toMatchObject({ code: 40001, msg: 'The card number must have 6 to 20 digits' })
    expect(
      await change({
        payoutType: 'bank',
        payoutSubtype: 'bank_transfer',
        bankName: 'Stanbic',
        bankCardNo: '9030001234567',
        cardholderName: 'S N',
      }),
    ).toMatchObject({ code: 0, data: { verifyResult: 'unavailable' } })
  })

  it('passes by the name of the customer, never by a name that was typed', async () => {
    const task = await opened({ phone: '256772000071' })
    const lease = { orderNo: task.orderNo, leaseToken: task.leaseToken }
    floor.holders.set('256772000072', 'Peter Okello')
    const account = { payoutType: 'wallet', payoutSubtype: 'mtn', walletAccount: '256772000072' } as const
    const changed = await floor.call(
      audit.changePayout,
      { ...lease, ...account, cardholderName: 'Peter Okello' },
      { as: who },
    )
    expect(changed.data).toEqual({ verifyResult: 'failed', holderName: null })
    const { data } = await floor.call(order.basic, { orderNo: task.orderNo }, { as: who })
    expect(data.payout).toMatchObject({ verifyResult: 'failed', holderName: null })
    expect(data.checks.find(check => check.checkKey === 'wallet_name')).toMatchObject({
      checkResult: 'mismatch',
      right: null,
    })
    const version = (await accountOf(task.orderNo)).version
    expect(await floor.call(audit.submit, { ...floor.passing(task), version }, { as: who })).toMatchObject({
      code: 40001,
      msg: 'The payout account has not passed verification',
    })
  })

  describe('that nobody can prove', () => {
    const bank = {
      payoutType: 'bank',
      payoutSubtype: 'bank_transfer',
      bankName: 'Stanbic',
      bankCardNo: '9030001234567',
      cardholderName: 'Sarah Nakato',
    } as const
    const checkerPerms = [...auditorPerms, 'audit:order:changePayout:check']
    const toBank = async (phone: string) => {
      const task = await opened({ phone })
      const lease = { orderNo: task.orderNo, leaseToken: task.leaseToken }
      const { data } = await floor.call(audit.changePayout, { ...lease, ...bank }, { as: who })
      expect(data.verifyResult).toBe('unavailable')
      return { task, lease, version: (await accountOf(task.orderNo)).version }
    }
    const mark = async (lease: { orderNo: string; leaseToken: string }, version: number, evidence?: string) =>
      floor.call(
        audit.markPayoutChecked,
        { ...lease, version, evidence: evidence ?? (await readyFile(floor.db, who.userNo)) },
        { as: who },
      )
    const approve = (approvalNo: string, as: Person, unproven?: true) =>
      floor.call(common.approve, { approvalNo, version: 0 }, { as, ...(unproven ? { unproven } : {}) })

    it('is accepted by a second person with their own code, on what the first one shows', async () => {
      const { task, lease, version } = await toBank('256772000062')
      const theirs = await readyFile(floor.db, (await floor.auditor()).userNo)
      expect((await mark(lease, version, theirs)).code).not.toBe(0)
      expect((await mark(lease, version - 1)).code).toBe(40902)
      const evidence = await readyFile(floor.db, who.userNo)
      const { approvalNo } = (await mark(lease, version, evidence)).data
      expect(
        await floor.one(sql`select object_type, object_no, uploaded_by from attachment where upload_no = ${evidence}`),
      ).toEqual({ objectType: 'order', objectNo: task.orderNo, uploadedBy: who.userNo })
      expect((await accountOf(task.orderNo)).payoutVerify).toBe('unavailable')
      expect(await mark(lease, version)).toMatchObject({ code: 40901, msg: text('en', 'errors.approvalExists') })

      const second = await floor.auditor({ perms: checkerPerms, limit: 'all' })
      const [shown] = (await floor.call(common.approvals, { orderNo: task.orderNo }, { as: second })).data.list
      expect(shown).toMatchObject({ checkable: true, money: true, sharedWithMaker: [] })
      expect(shown?.summary.map(line => line.after)).toEqual(
        expect.arrayContaining(['Sarah Nakato', 'Stanbic', '9030001234567', 'Cannot be verified', 'statement.pdf']),
      )
      expect(await approve(approvalNo, second, true)).toMatchObject({ code: 40302 })
      expect((await approve(approvalNo, second)).data).toMatchObject({ approvalStatus: 'executed' })
      expect(await accountOf(task.orderNo)).toMatchObject({ payoutVerify: 'accepted', payoutHolderName: null })
      expect(await mark(lease, version)).toMatchObject({ code: 40901, msg: text('en', 'errors.payeeIsVerified') })
      const again = await floor.call(audit.verifyPayout, lease, { as: who })
      expect(again.data.verifyResult).toBe('unavailable')
      expect((await accountOf(task.orderNo)).payoutVerify).toBe('accepted')
      expect(await floor.call(audit.submit, { ...floor.passing(task), version }, { as: who })).toMatchObject({
        code: 0,
      })
    })

    it('is not accepted by the person who changed it', async () => {
      const changer = await floor.auditor({ perms: checkerPerms, limit: 'all' })
      const { lease, version } = await toBank('256772000063')
      const { orderNo } = lease
      await floor.exec(sql`update order_payout_history set changed_by = ${changer.userNo} where order_no = ${orderNo}`)
      const { approvalNo } = (await mark(lease, version)).data
      const [shown] = (await floor.call(common.approvals, { orderNo }, { as: changer })).data.list
      expect(shown?.checkable).toBe(false)
      expect(await approve(approvalNo, changer)).toMatchObject({ code: 40301, msg: text('en', 'errors.makerChecker') })
      expect((await accountOf(orderNo)).payoutVerify).toBe('unavailable')
    })

    it('is asked about again when it is changed once more', async () => {
      const { task, lease, version } = await toBank('256772000064')
      const { approvalNo } = (await mark(lease, version)).data
      await floor.call(audit.changePayout, { ...lease, ...bank, bankCardNo: '9030007654321' }, { as: who })
      const second = await floor.auditor({ perms: checkerPerms, limit: 'all' })
      expect(await approve(approvalNo, second)).toMatchObject({ code: 40901, data: { status: 'withdrawn' } })
      expect((await accountOf(task.orderNo)).payoutVerify).toBe('unavailable')
      expect((await mark(lease, version + 1)).code).toBe(0)
    })

    it('is a wallet of another name too; one whose network was not asked is verified first', async () => {
      const task = await opened({ phone: '256772000065', payoutVerify: 'not_verified' })
      const lease = { orderNo: task.orderNo, leaseToken: task.leaseToken }
      expect(await mark(lease, task.orderVersion)).toMatchObject({
        code: 40901,
        msg: text('en', 'errors.networkCanTell'),
      })
      floor.holders.set('256772000065', 'Peter Okello')
      await floor.call(audit.verifyPayout, lease, { as: who })
      expect((await mark(lease, task.orderVersion)).code).toBe(0)
    })
  })

  it('hides the holder from desensitised auditors', async () => {
    const blind = await floor.auditor({ sensitive: [] })
    const orderNo = await allotted({ phone: '256772000061' }, blind)
    const task = await floor.open(blind, orderNo)
    floor.holders.set('256772000061', 'Sarah Nakato')
    expect(
      (await floor.call(audit.verifyPayout, { orderNo, leaseToken: task.leaseToken }, { as: blind })).data,
    ).toMatchObject({ verifyResult: 'passed', holderName: 'Sa********to' })
  })

  it('needs the lease', async () => {
    const task = await opened()
    const stale = { orderNo: task.orderNo, leaseToken: `${who.userNo}.old` }
    expect(await floor.call(audit.verifyPayout, stale, { as: who })).toMatchObject({ code: 40901 })
    expect(
      await floor.call(
        audit.changePayout,
        { ...stale, payoutType: 'wallet', payoutSubtype: 'mtn', walletAccount: '256772000099', cardholderName: 'S N' },
        { as: who },
      ),
    ).toMatchObject({ code: 40901 })
  })
})
