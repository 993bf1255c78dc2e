import { sql } from 'kysely'
import type { Window } from '../../../../core/rules/message/contact-guard.ts'
import type { Tx } from '../../../db/database.ts'

/** What an app says of its messages: over which channels, and within which hours; null where only those of all hold. */
export type AppRules = { speaks: (channel: string) => boolean; window: Window | null }

/** The rules of an app; one that has no record speaks over every channel, and keeps the hours of all. */
export const appRulesOf = async (tx: Tx, appCode: string | null | undefined): Promise<AppRules> => {
  const found = appCode
    ? await tx.maybe(sql<{ channels: string[]; quietFrom: string; quietUntil: string }>`
        select array(select one ->> 'channelType' from jsonb_array_elements(x.app_channels) one) as channels, x.quiet_from, x.quiet_until
        from message_app x where x.app_code = ${appCode} and x.enabled = 'enabled' and x.deleted_time is null`)
    : undefined
  if (!found) return { speaks: () => true, window: null }
  return {
    speaks: channel => found.channels.includes(channel),
    window: { from: found.quietUntil, to: found.quietFrom },
  }
}
