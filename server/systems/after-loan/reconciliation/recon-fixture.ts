import { type RawBuilder, sql } from 'kysely'
import { type Money, sum } from '../../../../core/rules/money.ts'
import { eatDate } from '../../../../core/rules/time.ts'
import type { StatementLine } from '../../../gateways/gateway.ts'
import { reconInvariants } from '../../../invariants/recon.ts'
import { noCollection } from '../../../money/no-gateway.ts'
import { system } from '../../../rights/actor.ts'
import { wipe } from '../../../testing/wipe.ts'
import { commitFlow, enterFlow, proveFlow } from '../flow/flow-store.ts'
import { fakeGateway, openPayouts, paidOut } from '../payout/payout-fixture.ts'
import { reconModule } from './recon.ts'
import { statementModule } from './statement.ts'
import { signedOf } from './statement-store.ts'

export type GivenLine = Partial<StatementLine> & Pick<StatementLine, 'serialNo' | 'direction' | 'amount'>
type Item = {
  reconItemNo: string
  reconKind: string
  reconStatus: string
  reference: string
  gap: Money
  handlerNo: string | null
  version: number
}
type Run = { reconResult: string; unexplained: Money; openSum: Money; inFlight: Money }

/** A server with one account and scripted statements. A day ends when the test says so; sessions stay open. */
export const openRecon = async () => {
  const { gateway, statements } = fakeGateway()
  const empty = { opening: '0.00', closing: '0.00', lines: [] }
  const collect = { mtn_momo: { ...noCollection, statement: async () => empty } }
  const p = await openPayouts({ running: [statementModule({ payout: { mtn_momo: gateway }, collect }), reconModule()] })
  const actor = system('test')
  let closing: Money = '0.00'

  const rows = <T>(query: RawBuilder<T>) => p.db.read(tx => tx.rows(query))
  const written = (line: GivenLine): StatementLine => ({
    lineKind: 'payment',
    reference: null,
    relatesTo: null,
    payerAccount: null,
    narrative: null,
    time: p.clock.now().toISOString(),
    ...line,
  })
  const runOf = async (date: string) => (await rows(sql<Run>`select * from recon_run where recon_date = ${date}`))[0]
  const compare = async () => {
    while ((await p.run('recon.run')) > 0);
  }

  return {
    p,
    actor,
    statements,
    rows,
    written,
    runOf,
    compare,

    /** No statements, and one million in the account since the day before. */
    async reset(opening: Money = '1000000.00') {
      await p.db.withTx(tx => wipe(tx, 'statement', 'statementLine', 'matchedBooking', 'reconRun', 'reconItem'))
      await p.reset()
      p.clock.advance(86_400_000)
      statements.clear()
      closing = opening
    },
    closing: () => closing,

    /** The day ends with this on its statement; where the file was cut, its balance says so. */
    async endsDay(lines: readonly GivenLine[], o: { missing?: Money } = {}) {
      const date = eatDate(p.clock.now())
      const said = lines.map(written)
      const opening = closing
      closing = sum([opening, ...said.map(signedOf), o.missing ?? '0.00'])
      statements.set(date, { opening, closing, lines: said })
      p.clock.advance(86_400_000)
      await p.db.withTx(tx => tx.exec(sql`update session set created_time = ${tx.now}, last_seen_time = ${tx.now}`))
      await p.tick('statement.fetch')
      await p.run('statement.fetch')
      await compare()
      return runOf(date)
    },
    items: () => rows(sql<Item>`select * from recon_item order by created_time, recon_kind, reference`),
    lines: () =>
      rows(sql<{ lineNo: string; serialNo: string; lineKind: string; lineStatus: string }>`
        select line_no, serial_no, line_kind, line_status from statement_line order by entry_time, line_no`),
    codes: async () =>
      (await rows(sql<{ postingCode: string }>`select posting_code from journal order by journal_no`)).map(
        one => one.postingCode,
      ),
    out: (serialNo: string, more: Partial<GivenLine> = {}): GivenLine => ({
      serialNo,
      direction: 'out',
      amount: paidOut,
      ...more,
    }),
    /** Money in with a number that somebody typed, and that a second person confirmed unless it is said otherwise. */
    typed: (serialNo: string, payerAccount: string, o = { confirmed: true }) =>
      p.db.withTx(async tx => {
        const entered = {
          channel: 'mtn_momo',
          serialNo,
          amount: '5000.00',
          entryTime: tx.now.toISOString(),
          source: 'typed',
          fundAccountNo: 'FA1',
          payerAccount,
        }
        const flow = await commitFlow(tx, await enterFlow(tx, 'flow.save', entered, actor), actor)
        return o.confirmed ? proveFlow(tx, flow, 'person', {}, actor) : flow
      }),
    /** Every rule about statements and books with the rows that break it. */
    async broken() {
      const found = await Promise.all(
        reconInvariants.map(async ({ name, broken }) => ({
          name,
          rows: await rows(sql`select * from (${broken}) broken`),
        })),
      )
      return found.filter(one => one.rows.length > 0)
    },
  }
}
