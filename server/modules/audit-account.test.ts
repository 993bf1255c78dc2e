import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { contract } from '../../core/contract/contract.ts'
import { text } from '../../core/i18n/server.ts'
import { readyFile } from '../testing/ready-file.ts'
import { floorForTests } from '../testing/suites.ts'

const { audit } = contract
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
    expect((await verify()).data).toEqual({ verifyResult: 'failed', holderName: null, matchScore: 0 })
    floor.holders.set('256772000031', 'silent')
    expect((await verify()).data).toEqual({ verifyResult: 'unavailable', holderName: null, matchScore: 0 })
    expect(await floor.call(audit.submit, { ...floor.passing(task) }, { as: who })).toMatchObject({
      code: 40001,
      msg: 'The payout account is not verified',
    })
  })

  it('is unavailable when the network takes longer than five seconds', async () => {
    const task = await opened({ phone: '256772000032' })
    const { verifyHolder } = await import('./holder.ts')
    vi.useFakeTimers()
    try {
      const never = { verifyHolder: () => new Promise<never>(() => undefined) } as unknown as Parameters<
        typeof verifyHolder
      >[0]['mtn_momo']
      const asked = verifyHolder(
        { mtn_momo: never },
        { payoutSubtype: 'mtn', walletAccount: '256772000032', cardholderName: 'Sarah Nakato' },
      )
      await vi.advanceTimersByTimeAsync(5_000)
      expect(await asked).toMatchObject({ verifyResult: 'unavailable' })
    } finally {
      vi.useRealTimers()
    }
    expect(task.orderNo).toBeTruthy()
  })

  it('is changed with the old one kept, verified anew, and without clear values in the log', async () => {
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
      holderName: 'Sarah Nakato',
    })
    expect(await accountOf(task.orderNo)).toEqual({
      walletAccount: '256772000042',
      payoutVerify: 'passed',
      payoutHolderName: 'Sarah Nakato',
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

  it('stops Pass while the new account is not verified', async () => {
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
    ).toMatchObject({ code: 40001, msg: 'The payout account is not verified' })
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
    ).toMatchObject({ code: 40001, msg: 'The card number has 6 to 20 digits' })
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

  it('of a bank is marked as checked by who shows why, once; a network that can tell is asked', async () => {
    const task = await opened({ phone: '256772000062' })
    const lease = { orderNo: task.orderNo, leaseToken: task.leaseToken }
    const mark = async (evidence?: string, version?: number) =>
      floor.call(
        audit.markPayoutChecked,
        {
          ...lease,
          version: version ?? (await accountOf(task.orderNo)).version,
          evidence: evidence ?? (await readyFile(floor.db, who.userNo)),
        },
        { as: who },
      )
    expect((await mark(undefined, task.orderVersion + 1)).code).toBe(40902)
    expect(await mark()).toMatchObject({ code: 40901, msg: text('en', 'errors.networkCanTell') })
    const bank = {
      payoutType: 'bank',
      payoutSubtype: 'bank_transfer',
      bankName: 'Stanbic',
      bankCardNo: '9030001234567',
    } as const
    const { data } = await floor.call(audit.changePayout, { ...lease, ...bank, cardholderName: 'S N' }, { as: who })
    expect(data.verifyResult).toBe('unavailable')
    const theirs = await readyFile(floor.db, (await floor.auditor()).userNo)
    expect((await mark(theirs)).code).not.toBe(0)
    expect((await accountOf(task.orderNo)).payoutVerify).toBe('unavailable')

    const evidence = await readyFile(floor.db, who.userNo)
    expect((await mark(evidence)).data).toEqual({ verifyResult: 'passed' })
    expect(await accountOf(task.orderNo)).toMatchObject({ payoutVerify: 'passed', payoutHolderName: null })
    expect(
      await floor.one(sql`select object_type, object_no, uploaded_by from attachment where upload_no = ${evidence}`),
    ).toEqual({ objectType: 'order', objectNo: task.orderNo, uploadedBy: who.userNo })
    expect(await mark()).toMatchObject({ code: 40901, msg: text('en', 'errors.payeeIsVerified') })

    await floor.call(
      audit.changePayout,
      { ...lease, ...bank, bankCardNo: '9030007654321', cardholderName: 'S N' },
      { as: who },
    )
    expect((await accountOf(task.orderNo)).payoutVerify).toBe('unavailable')
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
