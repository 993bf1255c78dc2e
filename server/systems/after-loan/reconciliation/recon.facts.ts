import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { add, type Money, sum } from '../../../../core/rules/money.ts'
import { eatDate } from '../../../../core/rules/time.ts'
import type { StatementLine } from '../../../gateways/gateway.ts'
import { done, fresh, paysIn, proves, waits } from '../../../testing/acts.ts'
import { facts, type House, way } from '../../../testing/facts.ts'
import { none, paidOut, refused } from '../payout/payout-fixture.ts'
import { signedOf } from './statement-store.ts'

type Told = Partial<StatementLine> & Pick<StatementLine, 'serialNo' | 'direction' | 'amount'>

const { loan, recon } = contract

let closing: Money = '0.00'
/** The day ends, the network has this to say of it, and the books are compared with that. */
const endsDay = async (house: House, lines: readonly Told[]): Promise<void> => {
  const now = house.clock.now()
  const blank = { lineKind: 'payment', reference: null, relatesTo: null, payerAccount: null, narrative: null } as const
  const said = lines.map((line): StatementLine => ({ ...blank, time: now.toISOString(), ...line }))
  const opening = closing
  closing = add(opening, sum(said.map(signedOf)))
  house.network.statements.set(eatDate(now), { opening, closing, lines: said })
  await house.pass(24 * 60)
  await house.tick('statement.fetch')
  await house.worker.drain()
}

const sentTo = async (house: House, loanCode: string) => {
  const { payee, serialNo } = await house.one(sql<{ payee: string; serialNo: string }>`
    select payee, serial_no from gateway_attempt where external_id = ${`${loanCode}-1`}`)
  return { payerAccount: payee, serialNo, direction: 'out', amount: paidOut } as const
}

const itemOf = async (house: House, loanCode: string, kind: string): Promise<string> => {
  const { no } = await house.one(sql<{ no: string }>`
    select recon_item_no as no from recon_item where object_no = ${loanCode} and recon_kind = ${kind}`)
  return no
}

/** A code that waits because the send before it was paid after all, and the difference that this is. */
const blocked = async (house: House) => {
  const { loanCode } = await house.sent('M1', refused())
  await house.exec(sql`update channel set paused = true`)
  await done(house, loan.retry, { loanCodes: [loanCode] })
  await proves(house, loanCode, 'paid')
  await house.exec(sql`update channel set paused = false`)
  return { loanCode, reconItemNo: await itemOf(house, loanCode, 'paid_not_expected') }
}

/** What settles the payment that nobody expected: it is lost. */
const lossOf = async (house: House, reconItemNo: string) => ({
  reconItemNo,
  version: await house.versionOf('reconItem', reconItemNo),
  lines: [
    { account: 'payout_exception', side: 'credit', amount: paidOut },
    { account: 'other_expense', side: 'debit', amount: paidOut },
  ],
  reason: 'not given back',
})

/** A blocked code whose earlier payment was written off. */
const settled = async (house: House): Promise<string> => {
  const { loanCode, reconItemNo } = await blocked(house)
  const { approvalNo } = await done(house, recon.adjust, await lossOf(house, reconItemNo))
  await house.agree(String(approvalNo))
  return loanCode
}

const unblocking = async (house: House, loanCode: string) => ({
  loanCode,
  version: await house.versionOf('loanCode', loanCode),
  reason: 'settled',
})

/** A success that the network denied later. */
const contradicted = async (house: House): Promise<string> => {
  const { loanCode } = await house.disbursed()
  await proves(house, loanCode, 'refused')
  return itemOf(house, loanCode, 'late_contradiction')
}

/** A line and the booking of a payout without an answer, which only people can tell are the same. */
const unlike = async (house: House) => {
  const { loanCode } = await house.sent('M1', none)
  const serialNo = fresh('XM')
  await endsDay(house, [{ serialNo, direction: 'out', amount: paidOut }])
  const { lineNo } = await house.one(
    sql<{ lineNo: string }>`select line_no from statement_line where serial_no = ${serialNo}`,
  )
  const { journalNo } = await house.one(
    sql<{
      journalNo: number
    }>`select journal_no from journal_line where loan_code = ${loanCode} and account_code = 'bank:FA1'`,
  )
  return { lineNo, journalNo }
}

/** Those who do something to an account wait for one another before they look for a row. */
const accountLock = /pg_advisory_xact_lock\(hashtextextended\((\$\d+), 0\)\)/

export default facts({
  machines: {
    statementLine: {
      row: {
        lineNo: 'SL1',
        statementNo: 'ST1',
        fundAccountNo: 'FA1',
        statementDate: '2026-03-01',
        serialNo: 'MP1',
        direction: 'in',
        lineKind: 'payment',
        amount: 50000,
        entryTime: '2026-03-01T07:00:00Z',
      },
      undriven: {
        'no channel tells anything that is no money': ['new line.ignore ignored'],
      },
    },
    reconItem: {
      row: { reconItemNo: 'RI1', reconKind: 'paid_not_expected', createdTime: '2026-03-02T07:00:00Z' },
    },
  },
  around: async tx => {
    await tx.exec(sql`
      insert into statement (statement_no, fund_account_no, statement_date, opening, closing, line_sum, line_count, source, file_hash, created_by, created_time)
      values ('ST1', 'FA1', '2026-03-01', 0, 50000, 50000, 1, 'channel', 'hash', 'system', '2026-03-02T07:00:00Z')`)
  },
  commands: [
    {
      call: recon.explain,
      make: async house => {
        const no = await contradicted(house)
        return { no, input: { reconItemNo: no, version: 0, reconCause: 'channel_error', remark: 'asked' } }
      },
      race: { at: accountLock },
    },
    {
      call: recon.adjust,
      make: async house => {
        const { reconItemNo: no } = await blocked(house)
        return { no, input: await lossOf(house, no) }
      },
      fires: waits,
      race: { at: accountLock, drop: ['drop index if exists approval_pending'] },
    },
    {
      call: recon.match,
      make: async house => {
        const { lineNo, journalNo } = await unlike(house)
        return { no: lineNo, input: { lineNos: [lineNo], journalNos: [journalNo] } }
      },
      race: {
        at: accountLock,
        drop: [
          'alter table matched_booking drop constraint if exists matched_booking_pkey',
          'drop trigger if exists statement_line_matched on statement_line',
        ],
      },
    },
    {
      call: recon.unblock,
      make: async house => {
        const no = await settled(house)
        return { no, input: await unblocking(house, no) }
      },
      fires: waits,
    },
  ],
  ways: [
    way('statements are compared with the books, three days long', async house => {
      const [shown, late] = [await house.disbursed(), await house.disbursed()]
      await paysIn(house, shown.orderNo, '20000.00')
      const { serialNo: receipt } = await house.one(
        sql<{
          serialNo: string
        }>`select serial_no from repay_flow where source = 'callback' order by created_time desc limit 1`,
      )
      const [unknown, twice] = [await house.sent('M1', none), await house.sent('M1', none)]
      const [known, alike] = [fresh('XB'), await sentTo(house, twice.loanCode)]
      await endsDay(house, [
        await sentTo(house, shown.loanCode),
        { serialNo: receipt, direction: 'in', amount: '20000.00' },
        { serialNo: fresh('XI'), direction: 'in', amount: '7000.00', payerAccount: '256772999000', reference: 'rent' },
        { ...(await sentTo(house, unknown.loanCode)), serialNo: known },
        { ...alike, serialNo: fresh('XC') },
      ])
      await proves(house, unknown.loanCode, 'paid', known)
      await endsDay(house, [{ ...alike, serialNo: fresh('XC') }])
      await endsDay(house, [await sentTo(house, late.loanCode)])
    }),
    way('a blocked payout is released once the payment before it is written off', async house => {
      const loanCode = await settled(house)
      const { approvalNo } = await done(house, recon.unblock, await unblocking(house, loanCode))
      await house.agree(String(approvalNo))
      await house.worker.drain()
    }),
  ],
  approvals: [
    {
      action: 'recon.adjust',
      ask: async house => {
        const { reconItemNo } = await blocked(house)
        return String((await done(house, recon.adjust, await lossOf(house, reconItemNo))).approvalNo)
      },
    },
    {
      action: 'payout.unblock',
      ask: async house =>
        String((await done(house, recon.unblock, await unblocking(house, await settled(house)))).approvalNo),
    },
  ],
  records: [
    { fields: ['reconItemNo'], table: 'recon_item', key: 'recon_item_no' },
    { fields: ['lineNos'], table: 'statement_line', key: 'line_no' },
  ],
  calls: [
    { call: recon.run, about: 'is about an account, seen by those who see every merchant that it serves' },
    { call: recon.explain, about: 'is about a difference of an account, likewise' },
    { call: recon.match, about: 'is about lines of an account, likewise' },
    { call: recon.adjust, about: 'is about a difference of an account, likewise' },
  ],
})
