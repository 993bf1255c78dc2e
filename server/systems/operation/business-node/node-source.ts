import { type RawBuilder, sql } from 'kysely'
import { isKeptEvent, type MessageEvent, messageEventDict } from '../../../../core/contract/operation/message-event.ts'
import { languages } from '../../../../core/i18n/language.ts'
import { startOfEatDay } from '../../../../core/rules/time.ts'
import type { Source } from '../../../lists/list.ts'
import type { Reader } from '../../../lists/listed.ts'

type Frag = RawBuilder<unknown>
const weekMs = 7 * 86_400_000

/** Events of which customers must learn. */
export const keptEvents: string[] = messageEventDict.values.filter(event => isKeptEvent(event as MessageEvent))

const types = sql`(select jsonb_array_elements(x.channel_order) ->> 'channelType')`
const blocked = (today: string): Frag =>
  sql`from message m where m.node_no = x.node_no and m.created_time >= ${today} and m.message_status = 'blocked'`

/** Messages of node `x` that were handed over since a moment. */
export const sentSince = (since: string | Date): Frag =>
  sql`(select count(*)::int from message m where m.node_no = x.node_no and m.created_time >= ${since} and m.send_time is not null)`

/** What the list of nodes reads: texts in force, and what was sent of late. */
export const nodeSource = ({ tx }: Reader): Partial<Pick<Source, 'columns' | 'filters'>> => {
  const today = startOfEatDay(tx.today)
  const containing = (text: string) => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  return {
    columns: {
      nodeName: sql`x.node_name`,
      templatesPresent: sql`(select count(distinct (t.channel_type, t.language))::int from message_template t
        where t.node_no = x.node_no and t.template_status = 'enabled' and t.contact_type = 'self' and t.channel_type in ${types})`,
      templatesNeeded: sql`(jsonb_array_length(x.channel_order) * ${languages.length})::int`,
      sentToday: sentSince(today),
      sentIn7Days: sentSince(new Date(tx.now.getTime() - weekMs)),
      blockedToday: sql`(select count(*)::int ${blocked(today)})`,
      topBlock: sql`(select m.block_reason ${blocked(today)} group by 1 order by count(*) desc, 1 limit 1)`,
      alwaysOn: sql`(x.event_key = any(${keptEvents}))`,
    },
    filters: {
      nodeName: (text: string) =>
        sql`lower(concat_ws(' ', x.point_code, x.node_name ->> 'zh', x.node_name ->> 'en', x.node_name ->> 'sw')) like ${containing(text)}`,
      appCode: (app: string) => sql`${app} = any(x.app_codes)`,
      channelType: (given: readonly string[]) =>
        given.length
          ? sql`exists (select 1 from jsonb_array_elements(x.channel_order) c where c ->> 'channelType' = any(${[...given]}))`
          : null,
    } as never,
  }
}
