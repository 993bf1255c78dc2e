import { sql } from 'kysely'
import { bankBatch } from '../../../../core/contract/after-loan/bank-batch.ts'
import { contract } from '../../../../core/contract/contract.ts'
import type { Money } from '../../../../core/rules/money.ts'
import type { BankFolders } from '../../../gateways/bank/folders.ts'
import { noCollection, notSetUp } from '../../../money/no-gateway.ts'
import type { Person } from '../../../testing/kit.ts'
import { begunItems } from '../../../testing/proven.ts'
import { openPayouts } from '../payout/payout-fixture.ts'
import { statementModule } from '../reconciliation/statement.ts'
import { bankBatchModule } from './bank-batch.ts'
import type { BankBatch } from './bank-send.ts'

/** What an officer of bank files may do. */
export const bankPerms = ['fund:payout:page', 'fund:payout:bankFile']
/** Our account at the bank. */
export const bankAccountNo = 'FA3'
export const opening: Money = '1000000.00'

/** One thing that an answer says of a payment. */
export type Said = { externalId: string; status: string; serialNo?: string; amount?: string; reason?: string }

/** An answer as a bank writes it. */
export const answerText = (o: {
  answerNo: string
  batchNo: string
  status?: string
  reason?: string
  count?: number
  sum?: string
  payments?: readonly Said[]
}): string => {
  const why = (reason?: string) => (reason ? `<StsRsnInf><Rsn><Cd>${reason}</Cd></Rsn></StsRsnInf>` : '')
  const said = ({ externalId, status, serialNo, amount, reason }: Said) =>
    `<TxInfAndSts><OrgnlEndToEndId>${externalId}</OrgnlEndToEndId><TxSts>${status}</TxSts>${why(reason)}${serialNo ? `<AcctSvcrRef>${serialNo}</AcctSvcrRef>` : ''}${amount ? `<OrgnlTxRef><Amt><InstdAmt Ccy="UGX">${amount}</InstdAmt></Amt></OrgnlTxRef>` : ''}</TxInfAndSts>`
  const counted = `${o.count === undefined ? '' : `<OrgnlNbOfTxs>${o.count}</OrgnlNbOfTxs>`}${o.sum ? `<OrgnlCtrlSum>${o.sum}</OrgnlCtrlSum>` : ''}`
  const group = `<OrgnlGrpInfAndSts><OrgnlMsgId>${o.batchNo}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.03</OrgnlMsgNmId>${counted}${o.status ? `<GrpSts>${o.status}</GrpSts>` : ''}${why(o.reason)}</OrgnlGrpInfAndSts>`
  const info = o.payments?.length
    ? `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${o.batchNo}</OrgnlPmtInfId>${o.payments.map(said).join('')}</OrgnlPmtInfAndSts>`
    : ''
  return `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03"><CstmrPmtStsRpt><GrpHdr><MsgId>${o.answerNo}</MsgId><CreDtTm>2026-03-02T08:00:00Z</CreDtTm></GrpHdr>${group}${info}</CstmrPmtStsRpt></Document>`
}

type Answered = Omit<Parameters<typeof answerText>[0], 'answerNo'> & { answerNo?: string }

/** The fixture of payouts with an account at a bank; files are carried there by hand unless folders are given. */
export const openBank = async (o: { folders?: BankFolders; url?: string; now?: string } = {}) => {
  const module = bankBatchModule(o.folders ? { bank: o.folders } : {})
  const statements = statementModule({
    payout: { mtn_momo: notSetUp('mtn_momo') },
    collect: { mtn_momo: noCollection },
    ...(o.folders ? { bank: o.folders } : {}),
  })
  const p = await openPayouts({ url: o.url, now: o.now, running: [module, statements] })
  await p.db.withTx(async tx => {
    await tx.exec(sql`insert into channel (channel, channel_name) values ('bank_file', 'Bank') on conflict do nothing`)
    await tx.exec(sql`
      insert into fund_account (fund_account_no, account_name, account_role, lender_name, channel, account_number, bank_name)
      values (${bankAccountNo}, 'Bank payout', 'payout', 'Nile Credit', 'bank_file', '0140001112223', 'Stanbic Bank')`)
    await tx.exec(sql`insert into fund_account_merchant values (${bankAccountNo}, 'M1'), (${bankAccountNo}, 'M2')`)
    await begunItems(tx)
  })
  let payees = 0
  let answers = 0

  const batch = (batchNo: string) => p.one<BankBatch>(sql`select * from bank_batch where batch_no = ${batchNo}`)
  /** What a file would hold now, as a person sees it. */
  const preview = async (as: Person) =>
    (await p.call(bankBatch.accounts, {}, { as })).data.list.find(one => one.fundAccountNo === bankAccountNo)

  return {
    ...p,
    bank: module,
    batch,
    preview,

    /** Orders to payees of a bank whose codes wait for a file. */
    async waiting(count: number, o: { merchant?: 'M1' | 'M2' } = {}) {
      const made = []
      for (let n = 0; n < count; n++)
        made.push(await p.approved({ ...o, bankCardNo: `90300012345${String(++payees).padStart(2, '0')}` }))
      await p.run()
      return made
    },

    /** Makes the file that a person sees in the preview. */
    async make(as: Person, o: { executionDate?: string; key?: string } = {}) {
      const { paymentCount, amount } = (await preview(as)) ?? { paymentCount: 0, amount: '0.00' }
      const input = {
        fundAccountNo: bankAccountNo,
        executionDate: o.executionDate ?? '2026-03-02',
        paymentCount,
        amount,
      }
      return p.call(bankBatch.create, input, { as, ...(o.key ? { key: o.key } : {}) })
    },

    /** The bytes of a file as a person gets them. */
    async download(as: Person, batchNo: string) {
      const answer = await p.app.request(`/api/hc/web/payManage/bankBatch/${batchNo}/file`, {
        headers: { token: as.token, language: 'en' },
      })
      return { type: answer.headers.get('content-type'), text: await answer.text() }
    },

    /** Brings an answer by hand; nothing has come of it yet. */
    bring(as: Person, o: Answered) {
      const content = answerText({ answerNo: `ANS${++answers}`, ...o })
      return p.call(bankBatch.answer, { fileName: 'answer.xml', content }, { as })
    },

    /** Brings an answer by hand, has a second person agree to it, and lets everything come of it. */
    async answered(as: Person, o: Answered) {
      const brought = await this.bring(as, o)
      const { approvalNo } = brought.data ?? {}
      if (approvalNo) {
        const checker = await p.person({ perms: [...bankPerms, 'fund:payout:bankFile:check'] })
        const agreed = await p.call(contract.common.approve, { approvalNo, version: 0 }, { as: checker })
        if (agreed.code !== 0) return { ...brought, code: agreed.code, msg: agreed.msg }
      }
      await p.run()
      return brought
    },

    /** What is done by the clock, once. */
    async clockwork(job: 'bank.batch' | 'bank.silence' | 'bank.answers') {
      const scheduled = module.scheduled?.find(one => one.job === job)
      await p.db.withTx(tx => scheduled!.run(tx, { date: tx.today }))
      await p.run()
    },

    events: () =>
      p.db.read(tx =>
        tx.rows(
          sql<{ outcome: string; deliveries: number }>`select outcome, deliveries from inbound_event order by event_no`,
        ),
      ),
  }
}
export type Bank = Awaited<ReturnType<typeof openBank>>

/** What an officer does with files of the bank. */
export const deskOf = (at: () => { p: Bank; officer: Person }) => {
  const made = async (count = 1) => {
    const { p, officer } = at()
    const orders = await p.waiting(count)
    const { batchNo } = (await p.make(officer)).data
    return { orders, batchNo, refs: orders.map(({ loanCode }) => `${loanCode}-1`) }
  }
  /** A file that a person fetched for the bank. */
  const handedOver = async (count = 1) => {
    const file = await made(count)
    const { p, officer } = at()
    await p.download(officer, file.batchNo)
    return file
  }
  const states = (orders: readonly { loanCode: string }[]) => Promise.all(orders.map(one => at().p.stateOf(one)))
  const row = async (batchNo: string) => {
    const { p, officer } = at()
    const asked = { pageNum: 1, pageSize: 10, sort: '-createdTime', batchNo } as const
    return (await p.call(bankBatch.page, asked, { as: officer })).data.list[0]
  }
  return { made, handedOver, states, row }
}
