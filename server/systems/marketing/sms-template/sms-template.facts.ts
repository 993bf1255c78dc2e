import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { at, copied, maybe, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, type MerchantNo } from '../../../testing/facts.ts'

const { smsTemplates } = contract
let made = 0

/** A draft of a merchant. */
export const madeText = async (fixture: Fixture, merchantNo: MerchantNo = 'M1'): Promise<string> => {
  const input = {
    ...{ templateName: `Borrow again ${++made}`, merchantNo, contentEn: 'Dear {customerName}, {brand} is open today.' },
    contentSw: 'Mpendwa {customerName}, {brand} iko wazi leo.',
  }
  const answer = await fixture.call(smsTemplates.save, input, { as: fixture.boss })
  return String((fixture.must(answer) as { templateNo: string }).templateNo)
}

export default facts({
  approvals: [
    {
      action: 'businessConfig.MARKETING_TEXT',
      ask: async fixture => {
        const { configKey } = { configKey: 'MARKETING_TEXT' as const }
        const { version, value } = fixture.must(
          await fixture.call(contract.businessConfig.get, { configKey }, { as: fixture.boss }),
        ) as { version: number; value: object }
        const linkHosts = `offers${version}-${++made}.nile.example`
        const input = { configKey, version, value: { ...value, linkHosts } }
        const answer = await fixture.call(contract.businessConfig.update, input as never, { as: fixture.boss })
        return String((fixture.must(answer) as { approvalNo: string }).approvalNo)
      },
    },
  ],
  lists: [
    {
      list: smsTemplates.page,
      key: 'templateNo',
      fill: async fixture => {
        for (const merchantNo of ['M1', 'M2'] as const) {
          const no = await madeText(fixture, merchantNo)
          const changes = `jsonb_build_object(${prefixed('template_no')}, ${at('updated_time')}, ${at('created_time')}, 'template_name', 'Text ' || n, ${maybe('content_zh', "'您好'")}, 'template_status', (array['draft', 'disabled'])[1 + n % 2])`
          await copied(fixture, 'sms_template', `template_no = '${no}'`, changes)
        }
      },
      coarse: ['content'],
      means: {
        templateName: (row, text: string) => String(row.templateName).toLowerCase().includes(text.trim().toLowerCase()),
        language: (row, asked: readonly string[]) =>
          asked.length === 0 || (row.textLanguages as string[]).some(one => asked.includes(one)),
        createdBy: (row, asked: readonly string[]) => asked.length === 0 || asked.includes(String(row.createdBy)),
      },
    },
  ],
  records: [
    {
      fields: ['templateNo'],
      under: '/marketing/manage/smsTemplate',
      table: 'sms_template',
      key: 'template_no',
      make: madeText,
      owners: sql`select template_no as no, merchant_no, '{}'::text[] as holders from sms_template`,
      unheld: true,
    },
  ],
  calls: [
    { call: smsTemplates.variables, about: 'the values of texts are the same for every merchant' },
    {
      call: smsTemplates.save as Endpoint,
      about: 'whose merchants may have a text is asked for in the test of the noun',
    },
    { call: smsTemplates.measure as Endpoint, about: 'measures what is sent with it' },
  ],
})
