import { sql } from 'kysely'
import { addDays, eatDate } from '../../../../../core/rules/time.ts'
import type { Tx } from '../../../../db/database.ts'
import { invalid } from '../../../../http/fault.ts'

/** A send as a statement of its account may name it. */
type Named = {
  externalId: string
  gatewayRef: string
  fundAccountNo: string
  serialNo: string | null
  createdTime: string
}

/** The payments among some sends that a statement of ours shows, by our reference or by the number that was noted: their numbers by our reference. */
export const shownPaid = async (tx: Tx, sent: readonly Named[]): Promise<Map<string, string>> => {
  const asked = sent.map(one => ({ ...one, since: addDays(eatDate(one.createdTime), -1) }))
  const found = await tx.rows(sql<{ externalId: string; serialNo: string }>`
    select distinct on (x.external_id) x.external_id, l.serial_no
    from unnest(${asked.map(one => one.externalId)}::text[], ${asked.map(one => one.gatewayRef)}::text[], ${asked.map(one => one.fundAccountNo)}::text[],
        ${asked.map(one => one.serialNo)}::text[], ${asked.map(one => one.since)}::date[]) x (external_id, gateway_ref, fund_account_no, serial_no, since)
    join statement_line l on l.fund_account_no = x.fund_account_no and l.statement_date >= x.since and l.line_kind = 'payment' and l.direction = 'out'
      and (l.reference in (x.external_id, x.gateway_ref) or l.serial_no = x.serial_no)
    order by x.external_id`)
  return new Map(found.map(({ externalId, serialNo }) => [externalId, serialNo]))
}

/**
 * Nobody says that a payment did not arrive which a statement of ours shows. A wrong word would send the money again.
 * @throws {Fault} 40001 at `result`
 */
export const refuseShownPaid = async (tx: Tx, sent: Named): Promise<void> => {
  const [serialNo] = (await shownPaid(tx, [sent])).values()
  if (serialNo !== undefined) throw invalid('result', 'validation.shownPaid', { serialNo })
}
