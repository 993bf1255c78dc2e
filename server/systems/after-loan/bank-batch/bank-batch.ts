import { type RawBuilder, sql } from 'kysely'
import { bankBatch, maxDaysAhead } from '../../../../core/contract/after-loan/bank-batch.ts'
import { eq } from '../../../../core/rules/money.ts'
import { addDays } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid, notFound } from '../../../http/fault.ts'
import { serve, serveDownload, serveWork } from '../../../http/serve.ts'
import { listed, serveListed } from '../../../lists/listed.ts'
import type { Deps, Module } from '../../../module.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { loanPage, loanScope } from '../payout/desk/loan-source.ts'
import { bankAnswersJob, bankAwayQueue, bankOutcomeQueue, bankReadQueue, readAnswer } from './bank-answer.ts'
import { answerApproval, holdAnswer } from './bank-answer-hand.ts'
import { bankAccount, bankAccounts, choose, lockChoice, makeBatch, type SendWay } from './bank-make.ts'
import {
  type BankBatch,
  bankBatchJob,
  bankMakeQueue,
  bankSendQueue,
  bankSilenceJob,
  giveUp,
  lockWhole,
  noteSent,
} from './bank-send.ts'

type Frag = RawBuilder<unknown>

/** The data rule on a file `b`: a person who may not see one of its payments may not see the file. */
const batchScope = (session: Session): Frag => sql`not exists (
  select 1 from gateway_attempt sa join loan_code lc on lc.loan_code = sa.parent_no join loan_order o on o.order_no = lc.order_no
  where sa.batch_no = b.batch_no and not (${loanScope(session)}))`

/** Accounts that serve a merchant within the reach of the caller; `fm` is the pair of both. */
const servedWithin = (session: Session): Frag =>
  scope(session, { merchant: 'fm.merchant_no', holder: () => sql`true`, perm: loanPage })

const counts = sql`join lateral (
  select count(*) filter (where ga.attempt_status = 'succeeded')::int as succeeded, count(*) filter (where ga.attempt_status = 'failed')::int as failed,
    count(*) filter (where ga.attempt_status in ('prepared', 'sent', 'unknown'))::int as open
  from gateway_attempt ga where ga.batch_no = b.batch_no) k on true`

const batches = listed({
  list: bankBatch.page,
  source: ({ session }) => ({
    from: sql`bank_batch b`,
    joins: {
      fa: sql`join fund_account fa on fa.fund_account_no = b.fund_account_no`,
      k: counts,
      du: sql`left join app_user du on du.user_no = b.discarded_by`,
    },
    where: batchScope(session),
    columns: {
      fundAccountName: sql`fa.account_name`,
      succeededCount: sql`k.succeeded`,
      failedCount: sql`k.failed`,
      undecidedCount: sql`k.open`,
      discardedByName: sql`du.real_name`,
      batchStatus: sql`case when b.discarded_time is not null then 'discarded' when b.sent_time is null then 'prepared' when k.open = 0 then 'answered' when k.open < b.payment_count then 'part_answered' else 'sent' end`,
    },
    alias: 'b',
    key: sql`b.batch_no`,
  }),
})

const accounts = serve(bankBatch.accounts, async ({ tx, session }) => {
  const list = []
  for (const { fundAccountNo, accountName } of await bankAccounts(tx, servedWithin(session))) {
    const { codes, amount, balance } = await choose(tx, session, fundAccountNo)
    list.push({ fundAccountNo, accountName, paymentCount: codes.length, amount, balance })
  }
  return { list }
})

const create = (sendWay: SendWay) =>
  serve(bankBatch.create, async call => {
    const { tx, session, input, actor } = call
    const { fundAccountNo, executionDate, paymentCount } = input
    const account = await bankAccount(tx, fundAccountNo, servedWithin(session))
    const last = addDays(tx.today, maxDaysAhead)
    if (executionDate < tx.today || executionDate > last)
      throw invalid('executionDate', 'validation.executionDate', { from: tx.today, to: last })
    const locked = await lockChoice(tx, fundAccountNo, await choose(tx, session, fundAccountNo))
    if (locked.codes.length === 0) throw new Fault('stateConflict', 'errors.nothingForBank')
    if (locked.codes.length !== paymentCount || !eq(locked.amount, input.amount))
      throw new Fault(
        'needsConfirmation',
        'errors.amountsChanged',
        {},
        { paymentCount: locked.codes.length, amount: locked.amount },
      )
    const batchNo = await makeBatch(tx, account, locked, { executionDate, sendWay }, actor)
    for (const { order, code } of locked.held)
      call.audit({
        objectType: 'loanCode',
        objectNo: code.loanCode,
        orderNo: order.orderNo,
        before: { loanCodeStatus: code.loanCodeStatus },
        after: { loanCodeStatus: 'remitting', batchNo, fundAccountNo, executionDate },
      })
    return { batchNo }
  })

/** A file within the reach of a person, locked with its payments. */
const lockSeen = async (tx: Tx, session: Session, batchNo: string): Promise<BankBatch> => {
  const seen = await tx.maybe(sql`select 1 from bank_batch b where b.batch_no = ${batchNo} and ${batchScope(session)}`)
  const batch = seen ? await lockWhole(tx, batchNo) : undefined
  if (!batch) throw notFound()
  return batch
}

/** Only what has never left us can be given up: a person who has fetched a file may have handed it over. */
const discard = serve(bankBatch.discard, async ({ tx, session, input, actor, audit }) => {
  const { batchNo, reason } = input
  const batch = await lockSeen(tx, session, batchNo)
  if (batch.discardedTime) throw new Fault('stateConflict', 'errors.fileDiscarded')
  if (batch.sendWay !== 'hand' || batch.sentTime) throw new Fault('stateConflict', 'errors.fileLeft')
  await giveUp(tx, batch, reason, actor)
  const { paymentCount, amount } = batch
  audit({ objectType: 'bankBatch', objectNo: batchNo, after: { discarded: true, reason, paymentCount, amount } })
  return { failedCount: paymentCount }
})

/** The file as it was written, for a person who hands it to the bank: from then on it counts as sent. */
const file = serveDownload(bankBatch.file, 'payout.bankFileDownload', async ({ tx, session, input, actor, audit }) => {
  const { batchNo } = input
  const batch = await lockSeen(tx, session, batchNo)
  if (batch.discardedTime) throw new Fault('stateConflict', 'errors.fileDiscarded')
  if (batch.sendWay === 'hand') await noteSent(tx, batch, actor)
  const { fileText, fileSha256, paymentCount, amount } = batch
  audit({ objectType: 'bankBatch', objectNo: batchNo, after: { paymentCount, amount, sha256: fileSha256 } })
  tx.append('accessLog', {
    userNo: session.userNo,
    accessKind: 'download',
    objectType: 'bankBatch',
    objectNo: batchNo,
    field: 'bankCardNo',
    at: tx.now,
    ip: actor.ip,
    requestId: actor.requestId,
    partnerNo: actor.partnerNo,
  })
  const bytes = Buffer.from(fileText)
  return { bytes, name: `${batchNo}.xml`, type: 'application/xml', size: bytes.length }
})

const answer = serveWork(bankBatch.answer, {
  before: async ({ input }) => input,
  work: ({ fileName, content }) => readAnswer(fileName, Buffer.from(content)),
  async after(call, brought) {
    const { session, audit } = call
    const held = await holdAnswer(call, brought, { within: batchScope(session) })
    const objectNo = brought.answer?.batchNo ?? ''
    audit({ objectType: 'bankBatch', objectNo, after: { fileName: brought.fileName, ...held } })
    return held
  },
})

/** Payouts over a bank: files of payments, laid into its folder or handed over by a person, and its answers. */
export const bankBatchModule = ({ bank }: Pick<Deps, 'bank'>): Module => {
  const sendWay = bank ? 'folder' : 'hand'
  return {
    served: [serveListed(batches), accounts, create(sendWay), file, discard, answer],
    lists: [batches],
    approvals: [answerApproval],
    queues: [
      bankMakeQueue(sendWay),
      bankSendQueue(bank ?? null),
      bankOutcomeQueue,
      ...(bank ? [bankReadQueue(bank), bankAwayQueue(bank)] : []),
    ],
    scheduled: [bankBatchJob, bankSilenceJob, ...(bank ? [bankAnswersJob] : [])],
  }
}
