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

/**
 * Nobody says that a payment did not arrive which a statement of ours shows: by our reference, or by the number that was noted.
 * A wrong word would send the money again. @throws {Fault} 40001 at `result`
 */
export const refuseShownPaid = async (tx: Tx, sent: Named): Promise<void> => {
  const { fundAccountNo, serialNo } = sent
  const names = [sent.externalId, sent.gatewayRef]
  const from = addDays(eatDate(sent.createdTime), -1)
  const shown = await tx.maybe(sql<{ serialNo: string }>`
    select serial_no from statement_line
    where fund_account_no = ${fundAccountNo} and statement_date >= ${from} and line_kind = 'payment' and direction = 'out' and (reference = any(${names}) or serial_no = ${serialNo}) limit 1`)
  if (shown) throw invalid('result', 'validation.shownPaid', { serialNo: shown.serialNo })
}
