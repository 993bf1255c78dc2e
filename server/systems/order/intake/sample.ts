import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { acquireChecks, type Step } from '../../../../core/contract/merchant/order-acquire.ts'
import { Application } from '../../../../core/contract/order/intake.ts'
import { text } from '../../../../core/i18n/server.ts'
import { say } from '../../../http/envelope.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import { type Request, serve } from '../../../http/serve.ts'
import { acquireSeenBy } from '../../merchant/order-acquire/index.ts'
import type { ListValues } from '../../risk/name-list/index.ts'
import { type Asking, askingOf, checks } from './checks.ts'
import { merchantOf } from './take.ts'

const { orderAcquire } = contract
type Language = Request['language']
const firstCode = 101
const checkOf = (code: string) => acquireChecks.values[Number(code) - firstCode] as Step['check']

/** One check, and what the partner would read. */
const stepOf = async (asking: Asking, { code, ask }: (typeof checks)[number], language: Language): Promise<Step> => {
  const check = checkOf(code)
  try {
    await ask(asking)
    return { check, checkState: 'passed', answer: null }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { check, checkState: 'failed', answer: say(language, error) }
  }
}

/** Every check of an application, whatever the one before it answers; nothing is made, and nothing is counted. */
export const sample = (lists: ListValues) =>
  serve(orderAcquire.sample, async ({ tx, session, input: { merchantNo, payload }, request: { language } }) => {
    const seen = await tx.maybe(
      sql`select 1 from merchant x where x.merchant_no = ${merchantNo} and ${acquireSeenBy(session)}`,
    )
    if (!seen) throw invalid('merchantNo', 'validation.wrongValue')
    const unsigned: Step = { check: 'signature', checkState: 'not_asked', answer: null }
    const read = Application.safeParse(JSON.parse(payload))
    if (!read.success) {
      const path = read.error.issues[0]?.path.join('.') ?? ''
      const answer = `${path}: ${text(language, 'validation.wrongValue')}`
      const steps: Step[] = acquireChecks.values.map(check => ({ check, checkState: 'not_reached', answer: null }))
      steps.splice(0, 2, unsigned, { check: 'format', checkState: 'failed', answer })
      return { checkSteps: steps }
    }
    const merchant = await merchantOf(tx, merchantNo)
    const asking = await askingOf(tx, { input: read.data, merchant, lists })
    const steps: Step[] = [unsigned, { check: 'format', checkState: 'passed', answer: null }]
    const { thirdOrderNo } = read.data
    const used = await tx.maybe(
      sql`select 1 from loan_order where merchant_no = ${merchantNo} and third_order_no = ${thirdOrderNo}`,
    )
    for (const one of checks) steps.push(await stepOf(asking, one, language))
    if (used) steps[2] = { check: 'duplicate', checkState: 'failed', answer: text(language, 'errors.orderReused') }
    return { checkSteps: steps }
  })
