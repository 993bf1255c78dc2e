import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Language } from '../../../../core/i18n/language.ts'
import type { Tx } from '../../../db/database.ts'
import { invalid } from '../../../http/fault.ts'
import { type Served, serve } from '../../../http/serve.ts'
import { refuseName } from '../../order/order/index.ts'

type RefuseCode = {
  refuseCode: string
  name: string
  customerText: string | null
  needRemark: boolean
  coolingDays: number
}

const columns = (language: Language) =>
  sql`rc.refuse_code, ${refuseName(language)} as name, rc.customer_text, rc.need_remark, rc.cooling_days`

/** The code an auditor refuses with: of level 2, in use, with a remark where it asks for one. */
export const refuseCodeFor = async (
  tx: Tx,
  language: Language,
  code: string,
  remark: string | undefined,
): Promise<RefuseCode> => {
  const found = await tx.maybe(
    sql<RefuseCode>`select ${columns(language)} from refuse_code rc where rc.refuse_code = ${code} and rc.level = 2 and rc.enabled`,
  )
  if (!found) throw invalid('refuseCode', 'validation.wrongValue')
  if (found.needRemark && !remark) throw invalid('remark', 'validation.remarkNeeded')
  return found
}

export const refuseCodes: Served = serve(contract.audit.refuseCodes, async ({ tx, input, session }) => ({
  list: await tx.rows(sql<RefuseCode>`
    select ${columns(session.language)} from refuse_code rc
    where rc.enabled and rc.level = ${input.level} ${input.parent ? sql`and rc.parent_code = ${input.parent}` : sql``}
    order by rc.refuse_code`),
}))
