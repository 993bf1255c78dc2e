import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { add, type Money, sum } from '../../../../core/rules/money.ts'
import { eatDate } from '../../../../core/rules/time.ts'
import type { StatementLine } from '../../../gateways/gateway.ts'
import { done, fresh, paysIn, proves, waits } from '../../../testing/acts.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'
import { switched } from '../../../testing/proven.ts'
import { none, paidOut, refused } from '../payout/payout-fixture.ts'
import { signedOf } from './statement-store.ts'

type GivenLine = Partial<StatementLine> & Pick<StatementLine, 'serialNo' | 'direction' | 'amount'>

const { loan, recon } = contract

let closing: Money = '0.00'
/** The day ends, the network has this to say of it, and the books are compared with that. */
const endsDay = async (fixture: Fixture, lines: readonly GivenLine[]): Promise<void> => {
  const now = fixture.clock.now()
  const blank = { lineKind: 'payment', reference: null, relatesTo: null, payerAccount: null, narrative: null } as const
  const said = lines.map((line): StatementLine => ({ ...blank, time: now.toISOString(), ...line }))
  const opening = closing
  closing = add(opening, sum(said.map(signedOf)))
  fixture.network.statements.set(eatDate(now), { opening, closing, lines: said })
  await fixture.pass(24 * 60)
  await fixture.tick('statement.fetch')
  await fixture.worker.drain()
}

const sentTo = async (fixture: Fixture, loanCode: string) => {
  const { payee, serialNo } = await fixture.one(sql<{ payee: string; serialNo: string }>`
    select payee, serial_no from gateway_attempt where external_id = ${`${loanCode}-1`}`)
  return { payerAccount: payee, serialNo, direction: 'out', amount: paidOut } as const
}

const itemOf = async (fixture: Fixture, loanCode: string, kind: string): Promise<string> => {
  const { no } = await fixture.one(sql<{ no: string }>`
    select recon_item_no as no from recon_item where object_no = ${loanCode} and recon_kind = ${kind}`)
  return no
}

/** A code that waits because the send before it was paid after all, and the difference that this is. */
const blocked = async (fixture: Fixture) => {
  const { loanCode } = await fixture.sent('M1', refused())
  await fixture.exec(
    sql`update channel set pause_status = ${switched('paused')} where channel in (select channel from fund_account)`,
  )
  await done(fixture, loan.retry, { loanCodes: [loanCode] })
  await proves(fixture, loanCode, 'paid')
  await fixture.exec(
    sql`update channel set pause_status = ${switched('open')} where channel in (select channel from fund_account)`,
  )
  return { loanCode, reconItemNo: await itemOf(fixture, loanCode, 'paid_not_expected') }
}

/** What settles the payment that nobody expected: it is lost. */
const lossOf = async (fixture: Fixture, reconItemNo: string) => ({
  reconItemNo,
  version: await fixture.versionOf('reconItem', reconItemNo),
  lines: [
    { account: 'payout_exception', side: 'credit', amount: paidOut },
    { account: 'other_expense', side: 'debit', amount: paidOut },
  ],
  reason: 'not given back',
})

/** A blocked code whose earlier payment was written off. */
const settled = async (fixture: Fixture): Promise<string> => {
  const { loanCode, reconItemNo } = await blocked(fixture)
  const { approvalNo } = await done(fixture, recon.adjust, await lossOf(fixture, reconItemNo))
  await fixture.agree(String(approvalNo))
  return loanCode
}

const unblocking = async (fixture: Fixture, loanCode: string) => ({
  loanCode,
  version: await fixture.versionOf('loanCode', loanCode),
  reason: 'settled',
})

/** A success that the network denied later. */
const contradicted = async (fixture: Fixture): Promise<string> => {
  const { loanCode } = await fixture.disbursed()
  await proves(fixture, loanCode, 'refused')
  return itemOf(fixture, loanCode, 'late_contradiction')
}

/** A line and the booking of a payout without an answer, which only people can tell are the same. */
const unlike = async (fixture: Fixture) => {
  const { loanCode } = await fixture.sent('M1', none)
  const serialNo = fresh('XM')
  await endsDay(fixture, [{ serialNo, direction: 'out', amount: paidOut }])
  const { lineNo } = await fixture.one(
    sql<{ lineNo: string }>`select line_no from statement_line where serial_no = ${serialNo}`,
  )
  const { journalNo } = await fixture.one(
    sql<{
      journalNo: number
    }>`select journal_no from journal_line where loan_code = ${loanCode} and account_code = 'bank:FA1'`,
  )
  return { lineNo, journalNo }
}

/** What a bank took for keeping an account. */
const bankCharge = {
  fundAccountNo: 'FA1',
  lines: [
    { account: 'channel_cost', side: 'debit', amount: '100.00' },
    { account: 'bank', side: 'credit', amount: '100.00' },
  ],
  reason: 'monthly fee',
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
      make: async fixture => {
        const no = await contradicted(fixture)
        return { no, input: { reconItemNo: no, version: 0, reconCause: 'channel_error', remark: 'asked' } }
      },
      race: { at: accountLock },
    },
    {
      call: recon.book,
      make: async fixture => {
        const serialNo = fresh('XS')
        await endsDay(fixture, [{ serialNo, direction: 'in', amount: '9000.00', narrative: 'cash at the counter' }])
        const { no } = await fixture.one(
          sql<{ no: string }>`select recon_item_no as no from recon_item where reference = ${serialNo}`,
        )
        return { no, input: { reconItemNo: no, version: 0 } }
      },
      race: {
        at: accountLock,
        drop: [
          'drop index if exists repay_flow_serial',
          'alter table matched_booking drop constraint if exists matched_booking_pkey',
          'drop trigger if exists statement_line_matched on statement_line',
        ],
      },
    },
    {
      call: recon.adjust,
      make: async fixture => {
        const { reconItemNo: no } = await blocked(fixture)
        return { no, input: await lossOf(fixture, no) }
      },
      fires: waits,
      race: { at: accountLock, drop: ['drop index if exists approval_pending'] },
    },
    {
      call: recon.match,
      make: async fixture => {
        const { lineNo, journalNo } = await unlike(fixture)
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
      make: async fixture => {
        const no = await settled(fixture)
        return { no, input: await unblocking(fixture, no) }
      },
      fires: waits,
    },
  ],
  ways: [
    way('statements are compared with the books, three days long', async fixture => {
      const [shown, late] = [await fixture.disbursed(), await fixture.disbursed()]
      await paysIn(fixture, shown.orderNo, '20000.00')
      const { serialNo: receipt } = await fixture.one(
        sql<{
          serialNo: string
        }>`select serial_no from repay_flow where source = 'callback' order by created_time desc limit 1`,
      )
      const [unknown, twice] = [await fixture.sent('M1', none), await fixture.sent('M1', none)]
      const [known, alike] = [fresh('XB'), await sentTo(fixture, twice.loanCode)]
      await endsDay(fixture, [
        await sentTo(fixture, shown.loanCode),
        { serialNo: receipt, direction: 'in', amount: '20000.00' },
        { serialNo: fresh('XI'), direction: 'in', amount: '7000.00', payerAccount: '256772999000', reference: 'rent' },
        { ...(await sentTo(fixture, unknown.loanCode)), serialNo: known },
        { ...alike, serialNo: fresh('XC') },
      ])
      await proves(fixture, unknown.loanCode, 'paid', known)
      await endsDay(fixture, [{ ...alike, serialNo: fresh('XC') }])
      await endsDay(fixture, [await sentTo(fixture, late.loanCode)])
    }),
    way('a blocked payout is released once the payment before it is written off', async fixture => {
      const loanCode = await settled(fixture)
      const { approvalNo } = await done(fixture, recon.unblock, await unblocking(fixture, loanCode))
      await fixture.agree(String(approvalNo))
      await fixture.worker.drain()
    }),
  ],
  approvals: [
    {
      action: 'recon.adjust',
      ask: async fixture => {
        const { reconItemNo } = await blocked(fixture)
        return String((await done(fixture, recon.adjust, await lossOf(fixture, reconItemNo))).approvalNo)
      },
    },
    {
      action: 'recon.adjustOwn',
      ask: async fixture => String((await done(fixture, recon.adjustOwn, bankCharge)).approvalNo),
    },
    {
      action: 'payout.unblock',
      ask: async fixture =>
        String((await done(fixture, recon.unblock, await unblocking(fixture, await settled(fixture)))).approvalNo),
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
    {
      call: recon.book,
      about: 'is about a difference of an account, likewise',
      otherPerm: 'it makes a receipt, under the code of receipts',
    },
    { call: recon.item, about: 'is about a difference of an account, likewise' },
    { call: recon.runDetail, about: 'is about an account, likewise' },
    { call: recon.checklist, about: 'counts accounts, likewise' },
    { call: recon.adjust, about: 'is about a difference of an account, likewise' },
    { call: recon.adjustOwn, about: 'is about an account, likewise' },
  ],
})
