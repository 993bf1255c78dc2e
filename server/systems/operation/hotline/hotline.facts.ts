import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { facts } from '../../../testing/facts.ts'

const { hotline } = contract
let made = 0

/** A contact of the app of M1; each call another number. */
const input = () => ({
  displayName: { zh: '客服', en: 'Support', sw: 'Huduma' },
  hotlineType: 'phone',
  contactValue: `256772${String(++made).padStart(6, '0')}`,
  merchantNo: 'M1',
  appCodes: ['BodaCash'],
  languages: ['en'],
  workDays: ['mon', 'tue'],
  opensAt: '08:00',
  closesAt: '17:00',
  complaint: false,
  answeredHere: true,
  sort: 1,
})

export default facts({
  lists: [
    {
      list: hotline.page,
      key: 'hotlineNo',
      of: 'company',
      fill: async fixture => {
        const { key } = fixture.must(await fixture.call(hotline.save, input() as never, { as: fixture.boss })) as {
          key: string
        }
        const changes = `jsonb_build_object(${prefixed('hotline_no')}, 'contact_value', 300 + n, ${at('updated_time')}, 'sort', 1 + n % 20, 'complaint', n % 3 = 0, 'app_codes', jsonb_build_array((array['BodaCash', 'MarketLoan'])[1 + n % 2]))`
        await copied(fixture, 'hotline', `hotline_no = '${key}'`, changes)
      },
      means: { appCode: (row, app: string) => (row.appCodes as string[]).includes(app) },
    },
  ],
  records: [{ fields: ['hotlineNo', 'hotlineNos'], table: 'hotline', key: 'hotline_no' }],
  calls: Object.values(hotline)
    .filter(call => !('row' in call))
    .map(call => ({ call: call as Endpoint, about: 'contacts are shown to every customer' })),
})
