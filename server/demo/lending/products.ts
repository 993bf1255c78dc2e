import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import type { Endpoint } from '../../../core/contract/endpoint.ts'
import { contentOf } from '../../../core/rules/product/product-terms.ts'
import { addDays, startOfEatDay } from '../../../core/rules/time.ts'
import { approvalModule } from '../../approval/approval.ts'
import type { Tx } from '../../db/database.ts'
import { rightsOfPerson } from '../../session/session.ts'
import { productModules } from '../../systems/operation/product/product.ts'
import { at, handFor } from '../hand.ts'
import { userNoOf } from '../staff.ts'
import { products as first } from '../world.ts'

const { common } = contract
type Values = Record<string, unknown>
type Calls = typeof contract.product

const [single, several] = [contract.product, contract.productNew as unknown as Calls]
const [boda, , grow] = first
const oneBill = { ...contentOf(boda.terms), graceDays: 1 }
const bills = contentOf(grow.terms)

/** Further products of each merchant: their days, and their instalments where there are several. */
const further = [
  { name: 'Boda Week 7', merchantNo: 'M1', term: 7 },
  { name: 'Boda Month 30', merchantNo: 'M1', term: 30 },
  { name: 'Boda Plan 60', merchantNo: 'M1', term: 60, installmentCount: 4 },
  { name: 'Stall Fortnight 14', merchantNo: 'M2', term: 14 },
  { name: 'Market Plan 90', merchantNo: 'M2', term: 90, installmentCount: 3 },
  { name: 'Shamba Fortnight 14', merchantNo: 'M3', term: 14 },
  { name: 'Shamba Plan 60', merchantNo: 'M3', term: 60, installmentCount: 4 },
] as const

/** Products beside those that orders were made with, and versions as people left them: scheduled, waiting, sent back, too dear. */
export const writeProducts = async (tx: Tx): Promise<void> => {
  const own = productModules()
  const hand = handFor([...own, approvalModule(own.flatMap(one => one.approvals ?? []))])
  const now = at(tx, tx.now)
  const [boss, second] = await Promise.all(['admin', 'admin2'].map(login => rightsOfPerson(tx, userNoOf(login), 'en')))
  if (!boss || !second) return
  const call = async (who: typeof boss, endpoint: unknown, input: Values) => {
    const answer = (await hand.call(now, who, endpoint as Endpoint, input as never)) as Values
    await tx.flush()
    return answer
  }
  const approve = (approvalNo: unknown) => call(second, common.approve, { approvalNo, version: 0 })
  const submit = async (calls: Calls, productNo: unknown, reason: string, effectiveTime?: string) => {
    const draft = await tx.one(sql<{ versionNo: string; version: number }>`
      select version_no, version from product_version where product_no = ${productNo} and version_status = 'draft'`)
    const input = { ...draft, reason, ...(effectiveTime ? { effectiveTime } : {}) }
    return (await call(boss, calls.versionSubmit, input)).approvalNo
  }
  const made: unknown[] = []
  for (const { name, merchantNo, term, ...own } of further) {
    const calls = 'installmentCount' in own ? several : single
    const terms = 'installmentCount' in own ? { ...bills, ...own } : oneBill
    const { key } = await call(boss, calls.save, { productName: name, merchantNo, ...terms, term })
    await approve(await submit(calls, key, 'Part of the range of the new year'))
    made.push(key)
    // One stays closed.
    if (name === 'Shamba Plan 60') continue
    const { version } = await tx.one(sql<{ version: number }>`select version from product where product_no = ${key}`)
    await approve((await call(boss, calls.state, { productNo: key, enabled: true, version })).approvalNo)
  }
  const draft = async (productNo: unknown, change: Values) =>
    call(boss, single.versionSave, { productNo, ...oneBill, ...change })
  const [week, month, , fortnight, , shamba] = made
  await draft(week, { term: 7, lateFeeValue: '0.8' })
  const midnight = startOfEatDay(addDays(tx.today, 7))
  await approve(await submit(single, week, 'Lower late fee from next week', midnight))
  await draft(month, { term: 30, maxAmount: '600000.00' })
  await submit(single, month, 'Larger loans for good months')
  await draft(fortnight, { term: 14, extensionMax: 1 })
  const sentBack = await submit(single, fortnight, 'One extension only')
  await call(second, common.reject, { approvalNo: sentBack, version: 0, reason: 'Ask collection first' })
  await draft(shamba, { term: 14, interestRateDay: '0.1', regulatorRef: 'UMRA/N/2026/014' })
}
