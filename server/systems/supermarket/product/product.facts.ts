import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { at, copied, maybe, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts } from '../../../testing/facts.ts'
import { platformInForce } from '../platform/platform.facts.ts'

const { marketProduct, marketShelf } = contract
const about = 'products of the supermarket are shown in the apps of every merchant: they are kept for the company'
let made = 0

/** A draft on a platform of its own; its number. */
export const addedProduct = async (fixture: Fixture): Promise<string> => {
  const platformNo = await platformInForce(fixture)
  const { allowedHosts } = await fixture.one(
    sql<{ allowedHosts: string }>`select allowed_hosts from supermarket_platform where platform_no = ${platformNo}`,
  )
  const input = {
    platformNo,
    marketProductName: `Quick ${++made}`,
    amountMin: '50000.00',
    amountMax: '1000000.00',
    termMin: 7,
    termMax: 30,
    termUnit: 'day' as const,
    rateMonthMin: '1.5',
    rateMonthMax: '2.5',
    applyUrl: `https://${allowedHosts}/apply`,
  }
  const { marketProductNo } = fixture.must(await fixture.call(marketProduct.save, input, { as: fixture.boss })) as {
    marketProductNo: string
  }
  return marketProductNo
}

export default facts({
  lists: [
    {
      list: marketProduct.page,
      key: 'marketProductNo',
      of: 'company',
      coarse: ['clickRate', 'conversionRate'],
      fill: async fixture => {
        const no = await addedProduct(fixture)
        const changes = `jsonb_build_object(${prefixed('market_product_no', 'market_product_name')}, ${at('updated_time')}, 'sort', 1 + n % 9, 'amount_max', 1000000 + n % 4 * 50000,
          'rate_month_max', 2.5 + n % 3, 'app_codes', jsonb_build_array((array['BodaCash', 'MarketLoan'])[1 + n % 2]), 'customer_types', jsonb_build_array((array['new', 'old'])[1 + n % 2]), ${maybe('badge', "'new ' || n % 3")})`
        await copied(fixture, 'market_product', `market_product_no = '${no}'`, changes)
      },
      means: {
        marketProductName: (row, text: string) =>
          String(row.marketProductName).toLowerCase().includes(text.trim().toLowerCase()),
        appCode: (row, app: string) => (row.appCodes as string[]).includes(app),
        customerType: (row, kind: string) => (row.customerTypes as string[]).includes(kind),
        waiting: (_row, mine: boolean) => !mine,
      },
    },
    {
      list: marketProduct.clicks,
      key: 'clickId',
      of: 'company',
      fill: async fixture => {
        const no = await addedProduct(fixture)
        await fixture.exec(sql`
          insert into market_click (click_id, market_product_no, platform_no, customer_no, app_code, slot, click_time, business_date)
          select 'C' || n % 7 || '-' || n, p.market_product_no, p.platform_no, c.customer_no, 'BodaCash', (array['home_top', 'refused_page', 'sms'])[1 + n % 3],
            ${fixture.clock.now()}::timestamptz - n % 9 * interval '1 hour', date '2026-03-01'
          from market_product p, (select customer_no from customer order by 1 limit 1) c, generate_series(1, 60) n where p.market_product_no = ${no}`)
      },
    },
  ],
  records: [{ fields: ['marketProductNo', 'marketProductNos'], table: 'market_product', key: 'market_product_no' }],
  calls: [...Object.values(marketProduct), ...Object.values(marketShelf)].map(call => ({
    call: call as Endpoint,
    about,
  })),
})
