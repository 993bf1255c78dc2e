import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts } from '../../../testing/facts.ts'
import { addedProduct } from '../product/product.facts.ts'

const { recommend } = contract
const about = 'recommendations are shown in the apps of every merchant: they are kept for the company'
let made = 0

const added = async (fixture: Fixture): Promise<string> => {
  const marketProductNo = await addedProduct(fixture)
  // A product that customers see, as its two people bring it there.
  await fixture.exec(sql`
    update market_product set product_status = case when set_config('app.transition', 'on', true) = 'on' then 'online' end, app_codes = '{BodaCash}', customer_types = '{new}', sort = 1
    where market_product_no = ${marketProductNo}`)
  const now = fixture.clock.now().getTime()
  const input = {
    recommendName: `Put first ${++made}`,
    slot: 'home_top' as const,
    marketProductNo,
    refusedOnly: false,
    weight: 50,
    startTime: new Date(now - 3_600_000).toISOString(),
    endTime: new Date(now + 86_400_000).toISOString(),
  }
  return (fixture.must(await fixture.call(recommend.save, input, { as: fixture.boss })) as { recommendNo: string })
    .recommendNo
}

export default facts({
  lists: [
    {
      list: recommend.page,
      key: 'recommendNo',
      of: 'company',
      fill: async fixture => {
        const no = await added(fixture)
        const changes = `jsonb_build_object(${prefixed('recommend_no', 'recommend_name')}, ${at('updated_time')}, ${at('start_time')}, 'end_time', x.end_time + n % 5 * interval '1 day',
          'weight', 1 + n % 9, 'slot', (array['home_top', 'refused_page', 'sms'])[1 + n % 3])`
        await copied(fixture, 'market_recommend', `recommend_no = '${no}'`, changes)
      },
      means: {
        recommendName: (row, text: string) =>
          String(row.recommendName).toLowerCase().includes(text.trim().toLowerCase()),
        appCode: (row, app: string) => (row.appCodes as string[]).includes(app),
        running: (row, is: boolean) => (row.productStatus === 'online') === is,
        waiting: (_row, mine: boolean) => !mine,
      },
    },
  ],
  records: [{ fields: ['recommendNo', 'recommendNos'], table: 'market_recommend', key: 'recommend_no' }],
  calls: Object.values(recommend)
    .filter(call => !('row' in call))
    .map(call => ({ call: call as Endpoint, about })),
})
