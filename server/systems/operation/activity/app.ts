import { sql } from 'kysely'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { activityApp } from '../../../../core/contract/operation/activity.ts'
import { Fault, notFound } from '../../../http/fault.ts'
import { serveSigned } from '../../../http/serve.ts'
import type { Deps } from '../../../module.ts'
import { merchantSecrets, merchantSigner } from '../../common/index.ts'
import { stateOf } from './store.ts'

type Shown = OutputOf<typeof activityApp.shown>['list'][number]

/** What the app of a merchant asks: which activities there are, and who invites whom. */
export const appCalls = ({ secretKey }: Pick<Deps, 'secretKey'>) => {
  const secrets = merchantSecrets(secretKey)
  const shown = serveSigned(activityApp.shown, {
    signer: (tx, request) => merchantSigner(tx, request, secrets),
    handle: async ({ tx, input: { language } }, { merchantNo }) => ({
      list: await tx.rows(sql<Shown>`
        select x.activity_no, x.activity_name, x.activity_type, ${stateOf(tx)} as activity_state, x.start_time, x.end_time,
          x.rule_text ->> ${language}::text as rule_text
        from activity x join merchant m on m.merchant_no = ${merchantNo}
        where x.enabled = 'enabled' and x.deleted_time is null and x.end_time > ${tx.now} and ${merchantNo} = any(x.merchant_nos) and m.app_name = any(x.app_codes)
        order by x.start_time, x.activity_no limit 100`),
    }),
  })
  const invite = serveSigned(activityApp.invite, {
    signer: (tx, request) => merchantSigner(tx, request, secrets),
    async handle({ tx, input }, { merchantNo }) {
      const { activityNo, customerNo, phone } = input
      const own = await tx.maybe(sql<{ phone: string }>`
        select phone from merchant_customer where customer_no = ${customerNo} and merchant_no = ${merchantNo}`)
      const found = await tx.maybe(sql<{ state: string }>`
        select ${stateOf(tx)} as state from activity x where x.activity_no = ${activityNo} and x.activity_type = 'invite' and x.deleted_time is null
          and ${merchantNo} = any(x.merchant_nos)`)
      if (!own || !found) throw notFound()
      if (found.state !== 'running') throw new Fault('stateConflict', 'errors.activityNotRunning')
      // Whether a phone is known here is not said: who is, earns nobody anything.
      if (own.phone === phone) return { invited: false }
      const added = await tx.exec(sql`
        insert into activity_invite (activity_no, phone, customer_no, merchant_no, invited_time)
        values (${activityNo}, ${phone}, ${customerNo}, ${merchantNo}, ${tx.now}) on conflict do nothing`)
      return { invited: added === 1 }
    },
  })
  return [shown, invite]
}
