import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { base } from '../../../../core/contract/endpoint.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied } from '../../../testing/copies.ts'
import { type Fixture, facts, type MerchantNo, way } from '../../../testing/facts.ts'
import { signedBy } from '../../../testing/partner.ts'
import { addedProduct } from '../product/product.facts.ts'

const { review, marketReview } = contract
let clicks = 0

/** A customer of a merchant writes of a product that they opened, as the back end of the app sends it. */
const written = async (fixture: Fixture, merchantNo: MerchantNo = 'M1', text = 'Fast and clear') => {
  const orderNo = await fixture.queueUp(merchantNo)
  const marketProductNo = await addedProduct(fixture)
  const { customerNo } = await fixture.one(
    sql<{ customerNo: string }>`select customer_no from loan_order where order_no = ${orderNo}`,
  )
  await fixture.exec(sql`
    insert into market_click (click_id, market_product_no, platform_no, customer_no, app_code, slot, click_time, business_date)
    select ${`review-${++clicks}`}, market_product_no, platform_no, ${customerNo}, 'BodaCash', 'home_top', ${fixture.clock.now()}, date '2026-03-02'
    from market_product where market_product_no = ${marketProductNo}`)
  return {
    ...(await sent(fixture, { customerNo, marketProductNo, reviewText: text, merchantNo })),
    customerNo,
    marketProductNo,
  }
}

type Said = { customerNo: string; marketProductNo: string; reviewText: string; merchantNo: MerchantNo }
const sent = async (fixture: Fixture, { merchantNo, ...said }: Said): Promise<{ reviewNo: string }> => {
  const { secret, appCode } = await fixture.one(
    sql<{
      secret: string
      appCode: string
    }>`select k.secret, m.app_name as app_code from merchant m join merchant_credential k using (merchant_no) where m.merchant_no = ${merchantNo}`,
  )
  const body = JSON.stringify({ ...said, appCode, appVersion: '1.2', rating: 4, reviewLanguage: 'en' })
  const headers = { 'content-type': 'application/json', ...signedBy(body, { merchantNo, secret }) }
  const answer = await fixture.app.request(`${base}${marketReview.write.path}`, { method: 'POST', headers, body })
  const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: { reviewNo: string } }
  if (code !== 0) throw new Error(msg)
  return data
}

const made = async (fixture: Fixture) => {
  const { reviewNo } = await written(fixture)
  return { no: reviewNo, input: { reviewNos: [reviewNo] } }
}

export default facts({
  machines: {
    productReview: {
      row: {
        reviewNo: 'RV1',
        marketProductNo: 'MK1',
        customerNo: 'CUR1',
        merchantNo: 'M1',
        appCode: 'BodaCash',
        appVersion: '1.0',
        rating: 4,
        reviewText: 'Good',
        reviewLanguage: 'en',
        productThen: '{}',
        pendingSince: '2026-03-02T07:00:00Z',
        createdTime: '2026-03-02T07:00:00Z',
      },
    },
  },
  around: async tx => {
    await tx.exec(sql`
      insert into supermarket_platform (platform_no, enabled, platform_name, platform_kind, legal_name, licence_no, licence_expiry, contact_person, contact_email, allowed_hosts, settlement_mode, consent_text, created_time, updated_by, updated_time)
      values ('PF1', 'disabled', 'Lender', 'partner', 'Lender Ltd', 'L1', '2030-01-01', 'R', 'r@l.example', 'l.example', 'free', '{}', ${tx.now}, 'U1', ${tx.now}) on conflict do nothing`)
    await tx.exec(sql`
      insert into market_product (market_product_no, product_status, platform_no, market_product_name, amount_min, amount_max, term_min, term_max, term_unit, rate_month_min, rate_month_max, apply_url, created_time, updated_by, updated_time)
      values ('MK1', 'draft', 'PF1', 'Loan', 1, 2, 1, 2, 'day', 1, 2, 'https://l.example/', ${tx.now}, 'U1', ${tx.now}) on conflict do nothing`)
    await tx.exec(sql`
      insert into customer (customer_no, customer_name, id_number, phone, credit_limit, remaining_limit, register_time)
      values ('CUR1', 'Sarah', 'CM000000000RV1', '256772999001', 0, 0, ${tx.now}) on conflict do nothing`)
  },
  commands: [
    { call: review.show, make: made },
    {
      call: review.hide,
      make: async fixture => {
        const { no, input } = await made(fixture)
        return { no, input: { ...input, hideReason: 'spam' } }
      },
    },
  ],
  ways: [
    way('reviews are shown by themselves after a day, and change when their author changes them', async fixture => {
      const one = await written(fixture)
      await fixture.pass(24 * 60 + 1)
      await fixture.tick('review.clock')
      const said = { customerNo: one.customerNo, marketProductNo: one.marketProductNo, merchantNo: 'M1' as const }
      await sent(fixture, { ...said, reviewText: 'Still fast' })
      await done(fixture, review.hide, { reviewNos: [one.reviewNo], hideReason: 'spam' })
      await sent(fixture, { ...said, reviewText: 'Clear words' })
      await done(fixture, review.show, { reviewNos: [one.reviewNo] })
      await done(fixture, review.hide, { reviewNos: [one.reviewNo], hideReason: 'fake' })
      await done(fixture, review.show, { reviewNos: [one.reviewNo] })
    }),
  ],
  approvals: [
    {
      action: 'productReview.hide',
      ask: async fixture => {
        const { reviewNo } = await written(fixture)
        // The day's limit of hiding is used up.
        await fixture.exec(sql`
          insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at)
          select 'M88', 'used-up', 'review.hide', 'pending', 'hidden', ${fixture.boss.userNo}, 'test', ${fixture.clock.now()} from generate_series(1, 20)`)
        await done(fixture, review.hide, { reviewNos: [reviewNo], hideReason: 'spam' })
        const { approvalNo } = await fixture.one(
          sql<{
            approvalNo: string
          }>`select approval_no from approval where object_no = ${reviewNo} and approval_status = 'pending'`,
        )
        await fixture.db.withTx(async tx => {
          await tx.exec(sql`set local session_replication_role = replica`)
          await tx.exec(sql`delete from state_transition where object_no = 'used-up'`)
          await tx.exec(sql`set local session_replication_role = origin`)
        })
        return approvalNo
      },
    },
  ],
  lists: [
    {
      list: review.page,
      key: 'reviewNo',
      ownedBy: 'reviewNo',
      fill: async fixture => {
        for (const merchantNo of ['M1', 'M2'] as const) {
          const { reviewNo } = await written(fixture, merchantNo)
          await fixture.exec(
            sql`alter table product_review drop constraint if exists product_review_customer_no_market_product_no_key`,
          )
          const changes = `jsonb_build_object('review_no', x.review_no || '-' || n % 7 || '-' || n, ${at('created_time')}, 'rating', 1 + n % 5, 'report_count', n % 3, 'review_text', 'Good loan ' || n % 4, 'review_language', (array['en', 'sw', 'zh'])[1 + n % 3], 'word_held', n % 2 = 0)`
          await copied(fixture, 'product_review', `review_no = '${reviewNo}'`, changes, 20)
        }
      },
      means: {
        hasReply: (row, is: boolean) => row.hasReply === is,
        reported: (row, is: boolean) => Number(row.reportCount) > 0 === is,
        reviewText: (row, text: string) => String(row.reviewText).toLowerCase().includes(text.trim().toLowerCase()),
        platformNo: (row, no: string) => row.platformNo === no,
      },
      holds: {
        key: 'reviewNo',
        query: sql`select review_no, platform_no from product_review join market_product using (market_product_no)`,
      },
    },
  ],
  records: [
    {
      fields: ['reviewNo', 'reviewNos'],
      table: 'product_review',
      key: 'review_no',
      make: async (fixture, merchantNo) => (await written(fixture, merchantNo)).reviewNo,
      owners: sql`select review_no as no, merchant_no, '{}'::text[] as holders from product_review`,
      unheld: true,
    },
  ],
  calls: [
    { call: review.stat as Endpoint, about: 'counts reviews of the own merchants, and names none' },
    ...Object.values(marketReview).map(call => ({
      call: call as Endpoint,
      about: 'the app of a merchant speaks for its own customers',
    })),
  ],
})
