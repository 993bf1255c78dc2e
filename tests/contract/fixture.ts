import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { chunkHeaders } from '../../core/contract/common/upload.ts'
import { contract } from '../../core/contract/contract.ts'
import type { InputOf } from '../../core/contract/endpoint.ts'
import type { Application } from '../../core/contract/order/intake.ts'
import { eatDate, eatDateTime } from '../../core/rules/time.ts'
import { pdfOf } from '../../server/files/uploads/content/made-files.ts'
import { paid } from '../../server/systems/after-loan/payout/payout-fixture.ts'
import { application, send } from '../../server/testing/partner.ts'
import { begunItems } from '../../server/testing/proven.ts'
import { received, withReceived } from '../../server/testing/received.ts'
import { type MerchantNo, openServerKit, partners } from './server-kit.ts'

export { everyPerm, everySight, type MerchantNo } from './server-kit.ts'

const { audit, bankBatch, leave, loan, repay, common, view, upload, attach } = contract

/** The kit with what is built on it: orders, payouts, repayments and files, as far along as they are asked for. */
export const openFixture = async (o: Parameters<typeof openServerKit>[0] = {}) => {
  const kit = await openServerKit(o)
  const { call, clock, network, worker, one, exec, boss, second, must, versionOf, pass, putIn } = kit
  let applicants = 0
  let serials = 0
  let cards = 0
  const applied = new Map<string, Application>()

  /** An application that machine review has passed; of the customer of an earlier order where one is named. */
  const queueUp = async (merchantNo: MerchantNo = 'M1', earlier?: string): Promise<string> => {
    const { productNo, secret } = partners[merchantNo]
    const { customer: who, payout: to } = (earlier && applied.get(earlier)) || application(++applicants)
    const drawn = { ...application(++applicants), customer: who, payout: to }
    const { thirdOrderNo, customer, payout, device } = drawn
    network.holders.set(payout.walletAccount, payout.cardholderName)
    const body = {
      ...drawn,
      thirdOrderNo: `${merchantNo}-${thirdOrderNo}`,
      productNo,
      customer: { ...customer, monthlyIncome: '2000000.00' },
      device: { ...device, rooted: false, emulator: false },
    }
    const { orderNo } = must(await send(kit, body, { merchantNo, secret })) as { orderNo: string }
    applied.set(orderNo, drawn)
    await worker.drain()
    return orderNo
  }

  const allotted = async (merchantNo?: MerchantNo, who = boss, earlier?: string): Promise<string> => {
    const orderNo = await queueUp(merchantNo, earlier)
    must(await call(audit.allot, { orderNos: [orderNo], auditorNos: [who.userNo] }, { as: boss }))
    return orderNo
  }

  const opened = async (merchantNo?: MerchantNo, who = boss, earlier?: string) => {
    const orderNo = await allotted(merchantNo, who, earlier)
    const { auditTaskNo, leaseToken } = must(await call(audit.open, { orderNo }, { as: who })) as {
      auditTaskNo: string
      leaseToken: string
    }
    return { orderNo, auditTaskNo, leaseToken }
  }

  const decision = async (orderNo: string, leaseToken: string) => ({
    orderNo,
    leaseToken,
    version: await versionOf('order', orderNo),
    auditResult: 'pass' as const,
    approvalAmount: '200000.00',
    approvalTime: clock.now().toISOString(),
    faceConsistency: 'consistent' as const,
    answers: [],
  })

  /** An approved order whose code waits to be sent. */
  const approved = async (merchantNo?: MerchantNo, earlier?: string) => {
    const { orderNo, leaseToken } = await opened(merchantNo, boss, earlier)
    must(await call(audit.submit, await decision(orderNo, leaseToken), { as: boss }))
    const { loanCode } = await one(
      sql<{ loanCode: string }>`select loan_code from loan_code where order_no = ${orderNo}`,
    )
    return { orderNo, loanCode }
  }

  /** The account at a bank that pays for a merchant; there from the first time on. */
  const atBank = async (merchantNo: MerchantNo) => {
    const { isNew } = await one(
      sql<{ isNew: boolean }>`select not exists (select 1 from fund_account where fund_account_no = 'FA9') as is_new`,
    )
    if (isNew) {
      await exec(sql`insert into channel (channel, channel_name) values ('bank_file', 'Bank') on conflict do nothing`)
      await exec(sql`
        insert into fund_account (fund_account_no, account_name, account_role, lender_name, channel, account_number, bank_name)
        values ('FA9', 'Bank payout', 'payout', 'Nile Credit', 'bank_file', '0140001112223', 'Stanbic Bank')`)
      await kit.db.withTx(begunItems)
      await putIn('FA9')
    }
    await exec(sql`insert into fund_account_merchant values ('FA9', ${merchantNo}) on conflict do nothing`)
  }

  /** An approved order to an account at a bank, whose code waits for the file. */
  const waitingForFile = async (merchantNo: MerchantNo = 'M1') => {
    await atBank(merchantNo)
    const { orderNo, leaseToken } = await opened(merchantNo)
    await exec(sql`
      update loan_order set payout_type = 'bank', payout_subtype = 'bank_transfer', wallet_account = null, bank_name = 'Stanbic Bank', branch = 'Kampala Road',
        bank_card_no = ${`90300012345${String(++cards).padStart(3, '0')}`}, payout_verify = 'accepted', version = version + 1 where order_no = ${orderNo}`)
    must(await call(audit.submit, await decision(orderNo, leaseToken), { as: boss }))
    return one(
      sql<{ orderNo: string; loanCode: string }>`select order_no, loan_code from loan_code where order_no = ${orderNo}`,
    )
  }

  /** What a person agrees to who makes the file of the account at the bank. */
  const bankFile = async (as = boss) => {
    const fundAccountNo = 'FA9'
    const { paymentCount, amount } = must(await call(bankBatch.accounts, {}, { as })).list.find(
      account => account.fundAccountNo === fundAccountNo,
    )!
    return { fundAccountNo, executionDate: eatDate(clock.now()), paymentCount, amount }
  }

  /** A payout file of one payment, made and not yet fetched. */
  const batched = async (merchantNo?: MerchantNo) => {
    const made = await waitingForFile(merchantNo)
    const { batchNo } = must(await call(bankBatch.create, await bankFile(), { as: boss }))
    return { ...made, batchNo }
  }

  /** A code that was sent; the network gives its scripted answer, else only that it has it. */
  const sent = async (merchantNo?: MerchantNo, answer?: (typeof network.sends)[number]) => {
    const made = await approved(merchantNo)
    if (answer) network.sends.push(answer)
    await worker.drain()
    return made
  }

  const disbursed = async (merchantNo?: MerchantNo, earlier?: string) => {
    const made = await approved(merchantNo, earlier)
    const { walletAccount } = await one(
      sql<{ walletAccount: string }>`select wallet_account from loan_code where loan_code = ${made.loanCode}`,
    )
    network.sends.push(paid({ serialNo: `MP${++serials}`, payee: walletAccount }) as never)
    await worker.drain()
    return made
  }

  type Form = InputOf<typeof repay.trial>
  const typed = (orderNo: string, amount: string, repayType: Form['repayType'] = 'partial'): Form => ({
    orderNo,
    repayType,
    flows: [
      {
        paymentCode: '7000000001',
        paymentChannel: 'mtn_momo',
        serialNo: `SN${++serials}`,
        amount,
        entryTime: clock.now().toISOString(),
        writeOffAmount: amount,
      },
    ],
  })

  /** What the form of a write-off sends after its trial, once the money of its typed lines has come. */
  const tried = async (given: Form, as = boss): Promise<InputOf<typeof repay.commit>> => {
    const form = await withReceived(kit.db, given)
    const { trialKey, flags } = must(await call(repay.trial, form, { as })) as {
      trialKey: string
      flags: { confirmGreater: boolean; confirmLess: boolean }
    }
    return { ...form, version: await versionOf('order', form.orderNo), trialKey, ...flags }
  }

  const repaid = async (merchantNo?: MerchantNo, amount = '60000.00', repayType: Form['repayType'] = 'partial') => {
    const made = await disbursed(merchantNo)
    const commit = await tried(typed(made.orderNo, amount, repayType))
    const { repaymentNo } = must(await call(repay.commit, commit, { as: boss })) as { repaymentNo: string }
    return { ...made, repaymentNo }
  }

  const draftFlow = async (as = boss, paymentCode = '7000000002'): Promise<string> => {
    const entry = {
      paymentCode,
      paymentChannel: 'mtn_momo' as const,
      serialNo: `SN${++serials}`,
      amount: '50000.00',
      entryTime: clock.now().toISOString(),
      fundAccountNo: 'FA1',
    }
    return (must(await call(repay.flowSave, entry, { as })) as { flowNo: string }).flowNo
  }
  const unprovenFlow = async (as = boss): Promise<string> => {
    const flowNo = await draftFlow(as)
    must(await call(repay.flowCommit, { flowNo, version: 0 }, { as }))
    return flowNo
  }
  const receivedFlow = (): Promise<string> => {
    const entryTime = clock.now().toISOString()
    const paid = { serialNo: `SN${++serials}`, amount: '50000.00', entryTime, paymentCode: '7000000002' }
    return received(kit.db, { ...paid, merchantNo: 'M1' })
  }

  const taskOf = (orderNo: string) =>
    one(
      sql<{
        auditTaskNo: string
      }>`select audit_task_no from audit_task where order_no = ${orderNo} order by allot_time desc limit 1`,
    )
  const overpaymentOf = async (orderNo: string) =>
    (
      await one(
        sql<{
          no: string
        }>`select overpayment_no as no from overpayment join loan_order using (customer_no) where order_no = ${orderNo}`,
      )
    ).no

  /** A request of the first person for a payout to be taken back. */
  const requested = async (merchantNo?: MerchantNo) => {
    const made = await disbursed(merchantNo)
    const version = await versionOf('loanCode', made.loanCode)
    const { approvalNo } = must(
      await call(loan.cancelPaid, { loanCode: made.loanCode, version, reason: 'wrong customer' }, { as: boss }),
    ) as { approvalNo: string }
    return { ...made, approvalNo }
  }
  /** An export of the first person that waits to be written. */
  const exported = async (): Promise<string> => {
    await worker.drain()
    const asked = { filters: {}, columns: ['orderNo', 'phone', 'loanAmount'], exportFormat: 'csv' as const }
    const { exportNo } = must(
      await call(audit.manageList.exporting as NonNullable<typeof audit.manageList.exporting>, asked, { as: boss }),
    ) as {
      exportNo: string
    }
    return exportNo
  }
  let sendings = 0
  type File = { fileName: string; bytes: Buffer; purpose: 'attachment' | 'image' | 'import' | 'package' | 'statement' }
  const document = (): File => ({
    fileName: 'receipt.pdf',
    bytes: pdfOf(`/Sending ${++sendings}`),
    purpose: 'attachment',
  })
  /** A file that a person sent, piece by piece, and that was not looked at yet. */
  const receiving = async (as = boss, { fileName, bytes, purpose } = document()) => {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const file = { purpose, fileName, size: bytes.length, sha256 }
    const { uploadNo, token } = must(await call(upload.token, file, { as })) as { uploadNo: string; token: string }
    const headers = { [chunkHeaders.token]: token, [chunkHeaders.sha256]: sha256 }
    must(await call(upload.chunk, { uploadNo, chunkNo: 0 }, { as, bytes, headers }))
    return uploadNo
  }
  const uploaded = async (as = boss, file = document()): Promise<string> => {
    const uploadNo = await receiving(as, file)
    must(await call(upload.complete, { uploadNo }, { as }))
    return uploadNo
  }
  /** A file of released orders with one payout that was sent. */
  const released = async (merchantNo?: MerchantNo, as = boss, minutes = 0): Promise<string> => {
    const { orderNo, loanCode } = await sent(merchantNo)
    if (minutes) await pass(minutes)
    const row = `${loanCode},${orderNo},success,SN-${loanCode},${eatDateTime(clock.now())}`
    const bytes = Buffer.from(`loanCode,orderNo,result,serialNo,payoutTime\n${row}\n`)
    return uploaded(as, { purpose: 'import', fileName: 'released.csv', bytes })
  }
  /** The same, brought; half an hour later it waits to be confirmed, before that there is nothing to confirm. */
  const brought = async (o: { merchantNo?: MerchantNo; minutes?: number } = {}, as = boss): Promise<string> => {
    const uploadNo = await released(o.merchantNo, as, o.minutes)
    const { importNo } = must(await call(loan.page.importing!.command, { uploadNo }, { as })) as { importNo: string }
    await worker.drain()
    return importNo
  }
  const attached = async (orderNo: string, as = boss): Promise<string> => {
    const uploadNo = await uploaded(as)
    must(await call(attach.save, { objectType: 'order', objectNo: orderNo, uploadNo, attachType: 'income' }, { as }))
    return uploadNo
  }
  const agree = async (approvalNo: string) =>
    must(await call(common.approve, { approvalNo, version: 0 }, { as: second }))

  let views = 0
  const savedView = async (as = boss): Promise<string> => {
    const given = {
      widget: 'mkopo-portal-home',
      viewName: `View ${++views}`,
      filters: {},
      columns: [],
      sort: 'orderNo',
    }
    return must(await call(view.saveAs, { ...given, density: null }, { as })).viewNo
  }

  let leaves = 0
  /** Leave that somebody has asked for, of a day of its own, so far ahead that no test comes to it: who is on leave is off duty. */
  const leaveAsked = async (as = boss): Promise<string> => {
    const day = clock.now().getTime() + (200 + ++leaves) * 86_400_000
    const at = (hours: number) => new Date(day - (day % 86_400_000) + 86_400_000 + hours * 3_600_000).toISOString()
    const input = { leaveType: 'annual' as const, startTime: at(6), endTime: at(14) }
    return must(await call(leave.apply, input, { as })).leaveNo
  }

  return {
    ...kit,
    leaveAsked,
    queueUp,
    allotted,
    opened,
    decision,
    approved,
    sent,
    waitingForFile,
    bankFile,
    batched,
    disbursed,
    typed,
    tried,
    repaid,
    draftFlow,
    receivedFlow,
    unprovenFlow,
    taskOf,
    overpaymentOf,
    requested,
    exported,
    receiving,
    uploaded,
    released,
    brought,
    attached,
    agree,
    savedView,
  }
}
export type Fixture = Awaited<ReturnType<typeof openFixture>>
