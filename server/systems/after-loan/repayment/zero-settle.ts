import { type RawBuilder, sql } from 'kysely'
import { repay } from '../../../../core/contract/after-loan/repayment.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import type { Language } from '../../../../core/i18n/language.ts'
import { isKey, text } from '../../../../core/i18n/server.ts'
import { addAmounts, amountsOf, totalOf, zero } from '../../../../core/rules/loan/components.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, notFound } from '../../../http/fault.ts'
import { serve, serveEach } from '../../../http/serve.ts'
import { orderScope } from '../../order/order/index.ts'
import { writeOff } from '../write-off/write-off.ts'
import { checkConfirmed } from '../write-off/write-off-form.ts'
import { outstandingColumn } from './repay-source.ts'
import { checkRepayable, type Outcome, type Standing, standingOf, standings, tryOut } from './trial.ts'

const perm = 'repay:settle:small'

/** Settling without any money: everything that is left is forgiven, as far as the limits allow. */
const atZero = (tx: Tx, standing: Standing): Outcome => {
  checkRepayable(standing)
  return tryOut(
    standing,
    { repayType: 'settle', valueDate: tx.today, amounts: [], sources: ['zero'], smallSettle: true },
    tx.today,
  )
}

const say = (language: Language, { key, params }: Fault): string => {
  const written = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'string' && isKey(value) ? text(language, value) : value,
  ])
  return text(language, key, Object.fromEntries(written))
}

type Preview = OutputOf<typeof repay.zeroPreview>['list'][number]

const previewOf = (tx: Tx, orderNo: string, standing: Standing | undefined, language: Language): Preview => {
  const none = { orderNo, trialKey: '', outstanding: '0.00', waived: zero(), allowed: false }
  try {
    if (!standing) throw notFound()
    const { trial, trialKey, refusal } = atZero(tx, standing)
    const waived = amountsOf(trial.waived)
    return {
      orderNo,
      trialKey,
      outstanding: trial.outstanding,
      waived,
      allowed: !refusal,
      reason: refusal ? text(language, refusal) : null,
    }
  } catch (error) {
    if (error instanceof Fault) return { ...none, reason: say(language, error) }
    throw error
  }
}

/** As many as one settlement takes. */
const most = 500

/** Orders on loan that owe no more than a small shortfall, whose end may be allowed. */
const nearlyPaid = async (tx: Tx, where: RawBuilder<unknown>): Promise<string[]> => {
  const rows = await tx.rows(sql<{ orderNo: string }>`
    select o.order_no from loan_order o
    where o.order_status = 'funds_disbursed' and ${where}
      and ${outstandingColumn()} <= coalesce((select max(shortfall_limit) from auto_write_off_config where enabled = 'enabled'), 0.00)
    order by o.order_no limit ${most}`)
  return rows.map(({ orderNo }) => orderNo)
}

export const zeroPreview = serve(repay.zeroPreview, async ({ tx, session, input, request }) => {
  const where = orderScope(session, perm)
  const orderNos = input.orderNos ?? (await nearlyPaid(tx, where))
  const found = await standings(tx, orderNos, { where })
  const seen = [...new Set(orderNos)].map(orderNo =>
    previewOf(
      tx,
      orderNo,
      found.find(({ order }) => order.orderNo === orderNo),
      request.language,
    ),
  )
  const list = input.orderNos ? seen : seen.filter(row => row.allowed)
  const allowed = list.filter(row => row.allowed)
  const waived = allowed.map(row => row.waived).reduce(addAmounts, zero())
  return {
    list,
    penaltyAndFee: totalOf(waived, ['lateFee', 'liquidatedDamages', 'serviceFee', 'managementFee']),
    interest: waived.interest,
    principal: waived.principal,
    allowed: allowed.length,
    refused: list.length - allowed.length,
  }
})

export const zeroSettle = serveEach(repay.zeroSettle, {
  ids: input => [...new Set(input.orderNos)],
  async row(orderNo, { tx, session, input, actor, audit }) {
    const standing = await standingOf(tx, orderNo, { where: orderScope(session, perm), lock: true })
    const outcome = atZero(tx, standing)
    const seen = input.trialKeys[input.orderNos.indexOf(orderNo)] ?? ''
    checkConfirmed(outcome, { trialKey: seen, confirmGreater: true, confirmLess: true }, standing, null)
    const done = await writeOff(tx, standing, outcome, { event: 'repay.zeroSettle', sources: { kind: 'none' }, actor })
    audit({
      objectType: 'order',
      objectNo: orderNo,
      orderNo,
      before: { orderStatus: standing.order.orderStatus, outstanding: outcome.trial.outstanding },
      after: { orderStatus: done.orderStatus, repaymentNo: done.repaymentNo, waived: outcome.trial.outstanding },
    })
  },
})
