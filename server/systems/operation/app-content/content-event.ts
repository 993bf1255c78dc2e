import { sql } from 'kysely'
import { appContentApp } from '../../../../core/contract/operation/app-content.ts'
import { type Served, serveSigned } from '../../../http/serve.ts'
import { merchantSecrets, merchantSigner } from '../../common/index.ts'

/** Counts what the back end of an app reports, each report once. */
export const eventCall = (secretKey: Buffer): Served => {
  const secrets = merchantSecrets(secretKey)
  return serveSigned(appContentApp.event, {
    signer: (tx, request) => merchantSigner(tx, request, secrets),
    async handle({ tx, input }, { merchantNo, appName }) {
      const isNew = await tx.exec(sql`
        insert into app_content_report (merchant_no, report_no, reported_time) values (${merchantNo}, ${input.reportNo}, ${tx.now}) on conflict do nothing`)
      if (!isNew) return { counted: 0 }
      const events = JSON.stringify(input.events)
      const counted = await tx.exec(sql`
        insert into app_content_day (content_no, business_date, shown_count, clicked_count)
        select x.content_no, ${tx.today}::date, coalesce(sum(e.count) filter (where e."contentEvent" = 'shown'), 0), coalesce(sum(e.count) filter (where e."contentEvent" = 'clicked'), 0)
        from jsonb_to_recordset(${events}::jsonb) e ("contentNo" text, "contentEvent" text, count bigint)
          join app_content x on x.content_no = e."contentNo" and x.app_code = ${appName}
        group by x.content_no
        on conflict (content_no, business_date) do update set shown_count = app_content_day.shown_count + excluded.shown_count, clicked_count = app_content_day.clicked_count + excluded.clicked_count`)
      return { counted: Number(counted) }
    },
  })
}
