import { z } from 'zod'
import { contactBlock as machine } from '../../rules/machines/merchant/contact-block.ts'
import { command, list, noun } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { blockColumns, blockFilters, blockSources, scopeDict } from '../merchant/contact-block.ts'

/** What somebody wants no more of: texts, calls, or both. */
const optOutScopes = dictionary('BLOCK_SCOPE', ['marketing', 'telemarketing', 'all'])

const Row = z.object({ ...blockColumns, blockScope: field.dict(scopeDict), blockSource: field.dict(blockSources) })
/** A row of the opt-outs. */
export type OptOutRow = z.output<typeof Row>

/** Who asked for no more offers: the entries of the do-not-contact list that say so. */
export const optOuts = noun('marketing/opt-out', {
  page: list('/marketing/manage/optOut/page', {
    perm: 'mkt:optout:page',
    row: Row,
    filters: {
      ...blockFilters,
      blockScope: z.array(field.dict(scopeDict)).optional(),
      blockSource: z.array(field.dict(blockSources)).optional(),
    },
    sort: ['createdTime'],
    defaultSort: '-createdTime',
  }),
  /** Takes in at once what a customer asked for. */
  add: command({
    path: '/marketing/manage/optOut/add',
    perm: 'mkt:optout:save',
    audit: 'optOut.add',
    on: { machine, event: 'block.add', key: 'blockNo' },
    input: z.strictObject({
      phone: field.phone(),
      blockScope: field.dict(optOutScopes),
      merchantNo: field.merchant().optional(),
      remark: field.remark(30).optional(),
    }),
    output: z.object({ added: z.boolean() }),
  }),
})
