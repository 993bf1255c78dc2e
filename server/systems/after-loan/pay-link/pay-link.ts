import { sql } from 'kysely'
import { mostActiveLinks, payLink, payPagePath } from '../../../../core/contract/after-loan/pay-link.ts'
import { formatMoney } from '../../../../core/rules/amount.ts'
import { repaymentLink } from '../../../../core/rules/machines/after-loan/repayment-link.ts'
import { can } from '../../../../core/rules/machines/machine.ts'
import { eq, gt, lt, type Money, money } from '../../../../core/rules/money.ts'
import { eatDateTime } from '../../../../core/rules/time.ts'
import { blocks } from '../../../approval/blocks.ts'
import type { Tx } from '../../../db/database.ts'
import { checkVersion, Fault, invalid, notFound } from '../../../http/fault.ts'
import { type Call, serve } from '../../../http/serve.ts'
import { listed, serveListed } from '../../../lists/listed.ts'
import type { Deps, Module, Scheduled } from '../../../module.ts'
import { newNo } from '../../../money/numbers.ts'
import { system } from '../../../rights/actor.ts'
import { create, transition } from '../../../states/transition.ts'
import { amountInText, happened, isHeard } from '../../operation/message-engine/index.ts'
import { orderScope } from '../../order/order/index.ts'
import { checkRepayable, standingOf, tryOut } from '../repayment/trial.ts'
import { openedServed, payQueue, payServed } from './pay-link-pay.ts'
import { lockLinks, newLinkCode, type PayLink } from './pay-link-store.ts'

const perm = payLink.page.perm as string
const ofLink = (address: string | undefined) => (code: string) => `${address ?? ''}${payPagePath}/${code}`

/** Amount and life of a link; the business may set them under these keys. */
const limitsOf = (tx: Tx) =>
  tx.one(sql<{ least: Money; most: Money; hours: number }>`
    select coalesce(max(config_value #>> '{}') filter (where config_key = 'coll.link.min'), '1000')::numeric(18,2) as least,
      coalesce(max(config_value #>> '{}') filter (where config_key = 'coll.link.max'), '5000000')::numeric(18,2) as most,
      least(24, greatest(1, coalesce(max(config_value #>> '{}') filter (where config_key = 'coll.link.ttlHours'), '24')::int)) as hours
    from business_config where config_key like 'coll.link.%'`)

const isOver = (tx: Tx, { expireTime }: Pick<PayLink, 'expireTime'>) => new Date(expireTime) <= tx.now

/** Why a link is not sent or ended. */
const linkBlocks = blocks<PayLink & { over: boolean }>({
  read: async (tx, keys) => {
    const rows = await tx.rows(sql<PayLink>`select * from pay_link where link_no = any(${[...keys]})`)
    return new Map(rows.map(row => [row.linkNo, { ...row, over: isOver(tx, row) }]))
  },
  states: ({ linkStatus }) => ({ repaymentLink: linkStatus }),
  commands: [
    {
      command: payLink.send,
      refuses: ({ linkStatus, over }) =>
        over || !can(repaymentLink, linkStatus, 'link.revoke')
          ? new Fault('stateConflict', 'errors.payLinkOver')
          : null,
    },
    { command: payLink.revoke },
  ],
})

const links = (address: string | undefined) =>
  listed({
    list: payLink.page,
    source: ({ session }) => ({
      from: sql`pay_link l join loan_order o on o.order_no = l.order_no`,
      joins: {
        c: sql`join order_customer c on c.customer_no = o.customer_no and c.merchant_no = o.merchant_no`,
        m: sql`join merchant m on m.merchant_no = o.merchant_no`,
      },
      alias: 'l',
      key: sql`l.link_no`,
      where: orderScope(session, perm),
      columns: {
        customerName: sql`c.customer_name`,
        merchantName: sql`m.merchant_name`,
        payLink: sql`${ofLink(address)('')}::text || l.link_code`,
      },
    }),
    blocked: linkBlocks,
  })

const createServed = (address: string | undefined) =>
  serve(payLink.create, async call => {
    const { tx, session, input, actor, audit } = call
    const amount = money(input.amount)
    const { least, most, hours } = await limitsOf(tx)
    if (lt(amount, least) || gt(amount, most))
      throw invalid('amount', 'errors.payLinkAmount', { least: formatMoney(least), most: formatMoney(most) })
    if (!eq(amount, `${amount.split('.')[0]}.00`)) throw invalid('amount', 'validation.wholeShillings')
    const standing = await standingOf(tx, input.orderNo, { where: orderScope(session, perm), lock: true })
    checkRepayable(standing)
    const asked = { repayType: 'settle' as const, valueDate: tx.today, amounts: [], sources: [], smallSettle: false }
    const { settleAmount } = tryOut(standing, asked, tx.today).trial
    if (gt(amount, settleAmount))
      throw invalid('amount', 'errors.payLinkAboveSettle', { amount: formatMoney(settleAmount) })
    const { orderNo, merchantNo, customerNo } = standing.order
    const { active } = await tx.one(
      sql<{
        active: number
      }>`select count(*)::int as active from pay_link where order_no = ${orderNo} and link_status = 'active'`,
    )
    if (active >= mostActiveLinks) throw new Fault('quota', 'errors.payLinksActive', { max: mostActiveLinks })
    const made = {
      ...{ linkNo: newNo('PL', tx.now), orderNo, merchantNo, customerNo, amount, linkCode: newLinkCode() },
      expireTime: new Date(tx.now.getTime() + hours * 3_600_000),
    }
    const by = { createdBy: actor.no, createdName: actor.name, createdTime: tx.now }
    await create(tx, 'repaymentLink', { ...made, ...by }, { event: 'link.create' }, actor)
    audit({
      objectType: 'repaymentLink',
      objectNo: made.linkNo,
      orderNo,
      after: { amount, expireTime: made.expireTime },
    })
    return {
      linkNo: made.linkNo,
      payLink: ofLink(address)(made.linkCode),
      expireTime: made.expireTime.toISOString(),
    }
  })

type Asked = Call<{ linkNo: string; version: number }>

/** The link of a command, locked within the data rule of its caller, and checked. */
const held = async ({ tx, session, input }: Asked, command: typeof payLink.send | typeof payLink.revoke) => {
  const [link] = await lockLinks(
    tx,
    sql`l.link_no = ${input.linkNo} and exists (select 1 from loan_order o where o.order_no = l.order_no and ${orderScope(session, perm)})`,
  )
  if (!link) throw notFound()
  await linkBlocks.check({ tx, session }, command, link.linkNo)
  checkVersion(link, input.version)
  return link
}

const sendServed = (address: string | undefined) =>
  serve(payLink.send, async call => {
    const { tx, audit } = call
    const link = await held(call, payLink.send)
    const { linkNo, orderNo, merchantNo, customerNo, amount, linkCode, expireTime, timesSent } = link
    if (!(await isHeard(tx, 'payLink.sent', merchantNo))) throw new Fault('stateConflict', 'errors.payLinkNoText')
    await happened(tx, {
      ...{ event: 'payLink.sent', objectType: 'repaymentLink', objectNo: linkNo, occurrence: String(timesSent + 1) },
      ...{ customerNo, merchantNo, orderNo },
      values: {
        linkAmount: amountInText(amount),
        payLink: ofLink(address)(linkCode),
        linkUntil: eatDateTime(expireTime).slice(0, 16),
      },
    })
    const { version } = await tx.one(sql<{ version: number }>`
      update pay_link set times_sent = times_sent + 1, version = version + 1 where link_no = ${linkNo} returning version`)
    audit({ objectType: 'repaymentLink', objectNo: linkNo, orderNo, after: { timesSent: timesSent + 1 } })
    return { version }
  })

const revoke = serve(payLink.revoke, async call => {
  const { tx, input, actor, audit } = call
  const link = await held(call, payLink.revoke)
  const { linkNo, orderNo, linkStatus } = link
  const set = { revokeReason: input.reason }
  const { version } = await transition(tx, 'repaymentLink', link, { event: 'link.revoke', set }, actor)
  audit({
    ...{ objectType: 'repaymentLink', objectNo: linkNo, orderNo },
    ...{ before: { linkStatus }, after: { linkStatus: 'revoked', reason: input.reason } },
  })
  return { version }
})

const batch = 500

/** Links end by themselves: when their time is over, and when their order takes no money any more. */
const clock: Scheduled = {
  job: 'payLink.clock',
  every: { seconds: 60 },
  run: async tx => {
    const actor = system('payLink.clock')
    const due = await lockLinks(
      tx,
      sql`l.link_no in (
        select n.link_no from pay_link n join loan_order o using (order_no)
        where n.link_status = 'active' and (n.expire_time <= ${tx.now} or o.order_status <> 'funds_disbursed') limit ${batch})
        and l.link_status = 'active'`,
    )
    for (const link of due) {
      const over = isOver(tx, link)
      const event = over ? 'clock.ttl' : 'link.revoke'
      const set = over ? {} : { revokeReason: 'order settled' }
      await transition(tx, 'repaymentLink', link, { event, set }, actor)
    }
    return { ended: due.length }
  },
}

/** Links by which customers pay: made, sent and ended by staff, opened by who has them, paid through the networks. */
export const payLinkModule = (deps: Pick<Deps, 'collect' | 'address'>): Module => {
  const list = links(deps.address)
  return {
    served: [
      serveListed(list),
      createServed(deps.address),
      sendServed(deps.address),
      revoke,
      openedServed(),
      payServed(deps),
    ],
    lists: [list],
    queues: [payQueue(deps)],
    scheduled: [clock],
  }
}
