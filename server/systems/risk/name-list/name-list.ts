import { sql } from 'kysely'
import { nameLists } from '../../../../core/contract/risk/name-list.ts'
import { effectFits } from '../../../../core/rules/text/name-list.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import { serveListed } from '../../../lists/listed.ts'
import type { Deps, Module } from '../../../module.ts'
import { hitList, itemList, itemParts } from './items.ts'
import { expiry, feed } from './jobs.ts'
import { listSeen } from './seen.ts'
import { listValues } from './value.ts'

const config = serveConfig(nameLists, {
  prefix: 'NL',
  unique: 'nameListName',
  mayChange: ({ session }, { merchantNo }) =>
    merchantNo == null && !session.headquarters ? new Fault('forbidden', 'errors.headquartersOnly') : null,
  check: async ({ tx, session }, form, before) => {
    if (before && !effectFits(String(before.listKind), String(form.listEffect)))
      throw invalid('listEffect', 'validation.listEffect')
    if (before || form.merchantNo == null) return
    const seen = await tx.maybe(
      sql`select 1 from merchant x where x.merchant_no = ${form.merchantNo} and ${listSeen(session, 'x')}`,
    )
    if (!seen) throw invalid('merchantNo', 'validation.wrongValue')
  },
  uses: (tx, keys) =>
    tx.rows(sql`
      select name_list_no as key, 'name_list_item' as kind, count(*)::text as no, '' as name from name_list_item
      where name_list_no = any(${[...keys]}::text[]) and item_status = 'active' group by name_list_no`),
  source: ({ tx, session }) => ({
    where: listSeen(session, 'x'),
    joins: { m: sql`left join merchant m on m.merchant_no = x.merchant_no` },
    columns: {
      merchantName: sql`m.merchant_name`,
      activeCount: sql`(select count(*)::int from name_list_item i where i.name_list_no = x.name_list_no and i.item_status = 'active')`,
      hits7: sql`(select count(*)::int from name_list_hit h join name_list_item i using (item_no)
        where i.name_list_no = x.name_list_no and h.hit_at > ${tx.now}::timestamptz - interval '7 days')`,
    },
    filters: {
      nameListName: (text: string) => sql`x.name_list_name ilike ${`%${text.replace(/[\\%_]/g, '\\$&')}%`}`,
    } as never,
  }),
})

/** Lists of persons, phones and devices, and their entries. Without a key of the installation values are hashed with an empty one, which only tests do. */
export const nameListModule = ({ secretKey }: Partial<Pick<Deps, 'secretKey'>> = {}): Module => {
  const values = listValues(secretKey ?? Buffer.alloc(32))
  const items = itemList(values)
  const parts = itemParts(values)
  return {
    ...config,
    served: [...config.served, serveListed(items), serveListed(hitList), ...parts.served],
    lists: [...config.lists, items, hitList],
    approvals: [...config.approvals, ...parts.approvals],
    imports: parts.imports,
    scheduled: [...config.scheduled, expiry, feed(values)],
  }
}
