import { sql } from 'kysely'
import type { Paper } from '../../../../core/contract/common/paper.ts'
import { consumption as calls, type Statement } from '../../../../core/contract/merchant/consumption.ts'
import type { Key } from '../../../../core/i18n/index.ts'
import { text } from '../../../../core/i18n/server.ts'
import { add, eq, formatMoney, type Money, sum } from '../../../../core/rules/money.ts'
import { writers } from '../../../files/exports/store.ts'
import type { Writer } from '../../../files/exports/writer.ts'
import { pdfFile } from '../../../files/paper/paper.ts'
import { Fault, notFound } from '../../../http/fault.ts'
import { serve, serveDownload } from '../../../http/serve.ts'
import type { Reader } from '../../../lists/listed.ts'
import { merchantScope } from './wallet.ts'

type Line = Statement['lines'][number]
const perm = calls.page.perm as string

/** What a merchant paid in, used and got back in a month, from its records; the ledger says the same, or the statement is wrong. */
const statementOf = async (
  { tx, session }: Reader,
  { merchantNo, month }: { merchantNo: string; month: string },
): Promise<Statement> => {
  const merchant = await tx.maybe(sql<{ merchantName: string }>`
    select m.merchant_name from merchant m where m.merchant_no = ${merchantNo} and ${merchantScope(session, 'm.merchant_no', perm)}`)
  if (!merchant) throw notFound()
  const first = sql`${`${month}-01`}::date`
  const inMonth = (day: ReturnType<typeof sql>) => sql`${day} >= ${first} and ${day} < ${first} + interval '1 month'`
  const booked = (until: ReturnType<typeof sql>) => sql`coalesce((
    select -sum(l.amount) from journal_line l join journal j using (journal_no)
    where l.account_code = ${`merchant:${merchantNo}`} and j.business_date < ${until}), 0)::numeric(18,2)::text`
  const { opening, ledger } = await tx.one(sql<{ opening: Money; ledger: Money }>`
    select ${booked(first)} as opening, ${booked(sql`${first} + interval '1 month'`)} as ledger`)
  const onDay = (time: string) => sql`(${sql.ref(time)} at time zone 'Africa/Kampala')::date`
  const lines = await tx.rows(sql<Line>`
    select 'recharge' as kind, null::text as meter, null::int as quantity, sum(c.recharge_amount)::numeric(18,2)::text as amount
      from merchant_recharge c where c.merchant_no = ${merchantNo} and c.journal_no is not null and ${inMonth(onDay('c.audit_time'))} having count(*) > 0
    union all
    select 'recharge_reversed', null, null, (-sum(c.recharge_amount))::numeric(18,2)::text
      from merchant_recharge c where c.merchant_no = ${merchantNo} and c.recharge_status = 'reversed' and ${inMonth(onDay('c.reverse_time'))} having count(*) > 0
    union all
    select 'consumption', t.meter, sum(r.quantity)::int, (-sum(r.consumption_amount))::numeric(18,2)::text
      from consumption_record r join consumption_type t using (type_no) where r.merchant_no = ${merchantNo} and ${inMonth(onDay('r.posted_time'))} group by t.meter
    union all
    select 'given_back', t.meter, sum(b.quantity)::int, sum(b.amount)::numeric(18,2)::text
      from consumption_reversal b join consumption_record r using (consumption_no) join consumption_type t using (type_no)
      where r.merchant_no = ${merchantNo} and ${inMonth(onDay('b.reversed_time'))} group by t.meter
    order by 1 desc, 2`)
  const closing = add(opening, sum(lines.map(({ amount }) => amount)))
  return { ...merchant, month, opening, lines, closing, ledger, agrees: eq(closing, ledger) }
}

const statement = serve(calls.statement, ({ tx, session, input }) => statementOf({ tx, session }, input))

const cellsOf = (of: Statement, say: (key: Key) => string): string[][] => {
  const line = ({ kind, meter, quantity, amount }: Line) => [
    say(`dict.STATEMENT_KIND.${kind}` as Key),
    meter ? say(`dict.CONSUMPTION_METER.${meter}` as Key) : '',
    quantity === null ? '' : String(quantity),
    formatMoney(amount),
  ]
  return [
    [say('fields.opening'), '', '', formatMoney(of.opening)],
    ...of.lines.map(line),
    [say('fields.closing'), '', '', formatMoney(of.closing)],
  ]
}

/** The same on paper: what each service came to, between what the wallet had before and after. */
const paperOf = (of: Statement, merchantNo: string, say: (key: Key) => string): Paper => ({
  title: say('consumption.statement'),
  lead: `${of.merchantName} · ${of.month}`,
  facts: [
    { label: say('fields.merchantNo'), value: merchantNo },
    { label: say('fields.opening'), value: `UGX ${formatMoney(of.opening)}` },
    { label: say('fields.closing'), value: `UGX ${formatMoney(of.closing)}` },
  ],
  table: {
    columns: [say('consumption.statementLine'), say('fields.quantity'), say('fields.amount')],
    rows: cellsOf(of, say).map(([kind = '', meter, quantity = '', amount = '']) => [
      [kind, meter].filter(Boolean).join(' · '),
      quantity,
      amount,
    ]),
  },
  notes: [],
  code: null,
})

const bytesOf = (header: string[], rows: string[][], writer: Writer): Buffer => {
  const begun = writer.begin(header, { asTyped: true })
  const body = writer.rows(begun.written, rows)
  return Buffer.concat([begun.bytes, body.bytes, writer.end(body.written).bytes])
}

const statementFile = serveDownload(calls.statementFile, 'consumption.statement', async call => {
  const { tx, session, input, audit } = call
  const { exportFormat, merchantNo, month } = input
  const of = await statementOf({ tx, session }, input)
  if (!of.agrees)
    throw new Fault('stateConflict', 'errors.statementDiffers', {
      closing: formatMoney(of.closing),
      ledger: formatMoney(of.ledger),
    })
  const say = (key: Key) => text(session.language, key)
  const title = `${say('consumption.statement')} ${of.merchantName} ${month}`
  audit({ objectType: 'merchant', objectNo: merchantNo, after: { month, closing: of.closing } })
  if (exportFormat === 'pdf') return pdfFile(paperOf(of, merchantNo, say), title)
  const header = [`${of.merchantName} ${month}`, say('fields.meter'), say('fields.quantity'), say('fields.amount')]
  const writer = writers[exportFormat]
  const bytes = bytesOf(header, cellsOf(of, say), writer)
  return { bytes, name: `${title}.${exportFormat}`, type: writer.type, size: bytes.length }
})

/** The statement of a month, on the page and as a file. */
export const statementServed = [statement, statementFile]
