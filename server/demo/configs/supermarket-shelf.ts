import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import type { Tx } from '../../db/database.ts'
import { json } from '../../db/json.ts'
import { newNo } from '../../money/numbers.ts'
import { system } from '../../rights/actor.ts'
import type { Session } from '../../session/session.ts'
import { create, transition } from '../../states/transition.ts'
import { recommendModule } from '../../systems/supermarket/recommend/recommend.ts'
import { at, handFor } from '../hand.ts'

const { recommend } = contract
const day = 86_400_000
const slots = ['home_top', 'refused_page', 'settled_page', 'supermarket_list', 'telemarketing', 'sms'] as const

type Desk = { tx: Tx; maker: Session; second: Session }

const lines = (zh: string, en: string, sw: string) => ({ zh, en, sw })

/** Sixteen recommendations over all places: two wait, and the refused page shows three by weight. */
export const writeRecommends = async ({ tx, maker, second }: Desk, products: readonly string[]): Promise<string[]> => {
  const hand = handFor([recommendModule()])
  const then = at(tx, new Date(tx.now.getTime() - 10 * day))
  const shown: string[] = []
  for (let n = 0; n < 16; n++) {
    const slot = n < 3 ? 'refused_page' : (slots[n % slots.length] ?? 'home_top')
    const { recommendNo } = await hand.call(then, maker, recommend.save, {
      recommendName: `${slot.replace('_', ' ')} ${n + 1}`,
      slot,
      marketProductNo: String(products[n % products.length]),
      ...(n % 4 === 0 ? { recommendQuota: '150000.00' } : {}),
      refusedOnly: slot === 'refused_page',
      weight: [50, 30, 20][n] ?? 10 + (n % 5) * 10,
      startTime: new Date(tx.now.getTime() - 9 * day).toISOString(),
      endTime: new Date(tx.now.getTime() + (n === 5 ? 2 : 40) * day).toISOString(),
      reasonText: lines('适合您的产品', 'A loan that suits you', 'Mkopo unaokufaa'),
    })
    await then.flush()
    if (n === 15) continue
    await hand.call(then, maker, recommend.submit, { recommendNo, version: 0 })
    await then.flush()
    if (n === 13 || n === 14) continue
    await hand.call(then, second, recommend.operate, { recommendNo, version: 1 })
    await then.flush()
    shown.push(recommendNo)
  }
  await tx.exec(sql`
    insert into market_shown (business_date, market_product_no, app_code, slot, recommend_no, shown_count)
    select ${tx.today}::date - d, r.market_product_no, p.app_codes[1], r.slot, r.recommend_no, 30 + d * 3 % 25
    from market_recommend r join market_product p using (market_product_no), generate_series(0, 8) d where r.recommend_no = any(${shown})`)
  await tx.exec(sql`
    update market_click c set recommend_no = r.recommend_no from market_recommend r
    where r.recommend_no = any(${shown}) and r.market_product_no = c.market_product_no and r.slot = c.slot and c.click_time >= ${then.now}`)
  return shown
}

const texts = [
  ['en', 'The money came within minutes, and the fees were as shown.', 5],
  ['sw', 'Pesa zilifika haraka na ada zilikuwa kama zilivyoonyeshwa.', 5],
  ['en', 'Good for school fees, but the term is short.', 4],
  ['sw', 'Huduma nzuri, ila muda wa kulipa ni mfupi.', 4],
  ['zh', '到账快，利息说明清楚。', 4],
  ['en', 'They asked for the same document twice.', 3],
  ['sw', 'Nilisubiri siku mbili bila jibu.', 2],
  ['en', 'Too many calls before the due date.', 1],
] as const

/** What customers wrote of the products that they opened: shown, waiting, reported, hidden with reasons, answered. */
export const writeReviews = async ({ tx }: Desk): Promise<void> => {
  const rows = await tx.rows(sql<{
    customerNo: string
    marketProductNo: string
    merchantNo: string
    appName: string
    clickTime: string
    name: string
    amountMax: string
    rate: string
  }>`
    select distinct on (c.customer_no, c.market_product_no) c.customer_no, c.market_product_no, m.merchant_no, m.app_name, c.click_time, p.market_product_name as name, p.amount_max, p.all_in_month_rate as rate
    from market_click c join market_product p using (market_product_no) join merchant m on m.app_name = c.app_code order by c.customer_no, c.market_product_no, c.click_time`)
  const reasons = ['personal_data', 'abuse', 'spam', 'off_topic', 'fake', 'author_request']
  for (const [n, row] of rows.entries()) {
    const [reviewLanguage, reviewText, rating] = texts[n % texts.length] ?? texts[0]
    const then = at(tx, new Date(Math.min(Date.parse(row.clickTime) + day, tx.now.getTime() - 3_600_000)))
    const author = system('app')
    const reviewNo = newNo('RV', then.now)
    const values = {
      reviewNo,
      marketProductNo: row.marketProductNo,
      customerNo: row.customerNo,
      merchantNo: row.merchantNo,
      appCode: row.appName,
      appVersion: '2.4.1',
      rating,
      reviewText,
      reviewLanguage,
      productThen: json({ marketProductName: row.name, amountMax: row.amountMax, allInMonthRate: row.rate }),
      reportCount: n % 9 === 4 ? 1 : 0,
      pendingSince: then.now,
      createdTime: then.now,
    }
    await create(then, 'productReview', values, { event: 'review.write' }, author)
    await then.flush()
    const waits = { ...values, reviewStatus: 'pending', version: 0 }
    if (n % 7 === 3) continue
    if (n % 11 === 6) {
      const hideReason = reasons[n % reasons.length]
      const set = { hideReason, handledBy: 'U1', handledTime: then.now }
      await transition(
        then,
        'productReview',
        waits,
        { event: 'review.hide', set, payload: { reason: hideReason } },
        author,
      )
    } else {
      await transition(then, 'productReview', waits, { event: 'review.show', as: 'system' }, author)
      if (n % 5 === 0)
        await tx.exec(sql`
          update product_review set reply_text = 'Thank you for telling us. We have passed it on to the lender.', reply_time = ${then.now}, replied_by = 'U1' where review_no = ${reviewNo}`)
    }
  }
}
