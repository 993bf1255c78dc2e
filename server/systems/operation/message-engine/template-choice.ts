import { type Selectable, sql } from 'kysely'
import type { Language } from '../../../../core/i18n/language.ts'
import type { Tx } from '../../../db/database.ts'
import type { DB } from '../../../db/types.gen.ts'
import type { Channel } from '../../../outgoing/post.ts'

export type TemplateRecord = Selectable<DB['messageTemplate']>

/** Which text is looked for. */
export type Wanted = {
  nodeNo: string
  channel: Channel
  language: Language
  contactType?: string
  merchantNo: string | null
  appCode: string | null
}

/**
 * The text in force for a message: in the language of its reader, else in English; among those, one of the merchant before one of the app
 * before one for all.
 */
export const templateFor = (
  tx: Tx,
  { nodeNo, channel, language, contactType = 'self', merchantNo, appCode }: Wanted,
): Promise<TemplateRecord | undefined> =>
  tx.maybe(sql<TemplateRecord>`
    select * from message_template
    where node_no = ${nodeNo} and channel_type = ${channel} and template_status = 'enabled' and contact_type = ${contactType}
      and language in (${language}, 'en') and (merchant_no is null or merchant_no = ${merchantNo}) and (app_code is null or app_code = ${appCode})
    order by language = ${language} desc, merchant_no is not null desc, app_code is not null desc limit 1`)
