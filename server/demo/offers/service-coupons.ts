import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import { approvalModule } from '../../approval/approval.ts'
import type { Tx } from '../../db/database.ts'
import { rightsOfPerson, type Session } from '../../session/session.ts'
import { serviceCouponModule } from '../../systems/service/coupon/service-coupon.ts'
import { at, handFor } from '../hand.ts'
import { userNoOf } from '../staff.ts'
import { merchants } from '../world.ts'

const { serviceCoupon } = contract
const day = 86_400_000

const reasons = [
  'Waited four days for the payout',
  'App could not be opened on due day',
  'Charged twice by the network',
  'Good payer, asked to stay',
  'Complaint about waiting on the line',
  'Receipt was matched two days late',
] as const

type Kind = { no: string; couponName: string; faceAmount: string; type: string }

/** One set of settings for each kind of coupon; one is not in force, and one has little of its budget left. */
const writeSettings = async (tx: Tx, hand: ReturnType<typeof handFor>, lead: Session): Promise<string[]> => {
  const kinds = await tx.rows(sql<Kind>`
    select distinct on (coupon_type, coupon_repay_type) coupon_template_no as no, coupon_name, face_amount, coupon_type as type
    from coupon_template where enabled = 'enabled' and deleted_time is null order by coupon_type, coupon_repay_type, created_time`)
  const inForce: string[] = []
  for (const [place, kind] of kinds.entries()) {
    const free = kind.type === 'discount_coupon' && place % 2 === 0
    const { key } = await hand.call(tx, lead, serviceCoupon.save, {
      configName: `Huduma: ${kind.couponName}`.slice(0, 30),
      couponTemplateNo: kind.no,
      merchantNos: merchants.map(({ merchantNo }) => merchantNo),
      amountFree: free,
      ...(free ? { amountMin: '1000.00', amountMax: '10000.00' } : {}),
      countMax: 3,
      perAgentDaily: 10,
      perCustomer30Days: 4,
      monthlyBudget: place === 1 ? '64000.00' : '400000.00',
      minReasonLength: 10,
    })
    await tx.flush()
    if (place === kinds.length - 1) continue
    await hand.call(tx, lead, serviceCoupon.state, { serviceConfigNo: String(key), enabled: true, version: 0 })
    await tx.flush()
    if (kind.type !== 'increase_loan_limit_coupon') inForce.push(String(key))
  }
  return inForce
}

/** What agents of customer service may ask for, what they asked for in a month, and what became of it. */
export const writeServiceCoupons = async (tx: Tx): Promise<void> => {
  const module = serviceCouponModule()
  const hand = handFor([module, approvalModule(module.approvals ?? [])])
  const sessionOf = (login: string) => rightsOfPerson(tx, userNoOf(login), 'en')
  const lead = await sessionOf('admin')
  const second: Session = { ...(await sessionOf('audit.lead')), perms: lead.perms }
  // The head takes calls too, and somebody else decides on what the head asks for.
  const agents = [...Array(4).fill(await sessionOf('cs1')), ...Array(4).fill(await sessionOf('cs2')), lead] as Session[]
  const settings = await writeSettings(at(tx, new Date(tx.now.getTime() - 35 * day)), hand, lead)
  const customers = await tx.rows(sql<{ no: string }>`
    select c.customer_no as no from customer c where not c.technical and exists (select 1 from merchant_customer m where m.customer_no = c.customer_no)
    order by c.register_time desc, c.customer_no limit 60`)
  for (const [place, { no }] of customers.entries()) {
    const back = (customers.length - 1 - place) * 0.6
    const now = at(tx, new Date(tx.now.getTime() - back * day - 600_000))
    const serviceConfigNo = settings[place % settings.length]
    const agent = agents[place % agents.length] as Session
    if (!serviceConfigNo) return
    const asked = {
      ...{ customerNo: no, serviceConfigNo, couponCount: 1 + (place % 2) },
      ...{ faceAmount: `${1 + (place % 5)}000.00`, reason: String(reasons[place % reasons.length]) },
    }
    const made = await hand.call(now, agent, serviceCoupon.apply, asked).catch(() => null)
    await tx.flush()
    if (!made || back < 3) continue
    const rejected = place % 5 === 0
    const decision = rejected
      ? { decision: 'reject' as const, auditRemark: 'The reason does not carry it' }
      : { decision: 'approve' as const }
    const later = at(tx, new Date(now.now.getTime() + 7_200_000))
    const checker = agent === lead ? second : lead
    await hand
      .call(later, checker, serviceCoupon.decide, { applyNos: [made.applyNo], ...decision })
      .catch(() => undefined)
    await tx.flush()
  }
}
