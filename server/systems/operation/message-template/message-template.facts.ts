import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts } from '../../../testing/facts.ts'
import { madeNode } from '../business-node/business-node.facts.ts'

const { messageTemplates, smsReport } = contract

/** A draft of a text of a new node. */
const made = async (fixture: Fixture, more: Record<string, unknown> = {}): Promise<string> => {
  const nodeNo = await madeNode(fixture)
  const input = {
    ...{ templateName: 'Due soon', nodeNo, channelType: 'sms', contactType: 'self', language: 'en' },
    ...{ content: '{customerName}, {amountDue} is due on {dueDate}', ...more },
  }
  const answer = await fixture.call(messageTemplates.save, input as never, { as: fixture.boss })
  return String((fixture.must(answer) as { templateNo: string }).templateNo)
}

export default facts({
  lists: [
    {
      list: messageTemplates.page,
      key: 'templateNo',
      of: 'company',
      fill: async fixture => {
        const no = await made(fixture)
        const changes = `jsonb_build_object(${prefixed('template_no')}, ${at('updated_time')}, 'template_name', 'Text ' || n % 3, 'language', (array['en', 'sw', 'zh'])[1 + n % 3], 'channel_type', (array['sms', 'email'])[1 + n % 2], 'template_status', (array['draft', 'disabled'])[1 + n % 2])`
        await copied(fixture, 'message_template', `template_no = '${no}'`, changes)
      },
      means: {
        pointCode: (row, text: string) => String(row.pointCode).toLowerCase().includes(text.trim().toLowerCase()),
        templateName: (row, text: string) =>
          String(row.templateName).toLowerCase().includes(text.trim().toLowerCase()) || row.templateNo === text.trim(),
      },
    },
  ],
  records: [{ fields: ['templateNo'], table: 'message_template', key: 'template_no' }],
  calls: [
    ...Object.values(messageTemplates)
      .filter(call => !('row' in call))
      .map(call => ({ call: call as Endpoint, about: 'texts are ours, for customers of any merchant' })),
    { call: smsReport.reply, about: 'vendors bring what people answer: the secret in the address says who they are' },
    {
      call: messageTemplates.page.exporting!,
      about: 'texts are ours, for customers of any merchant',
    },
  ],
})
