import { type RawBuilder, sql } from 'kysely'
import { appInvite, appInvites } from '../../../../core/contract/operation/app-invite.ts'
import type { Item } from '../../../configs/config-hooks.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { attachedTo, attachUpload, lockReady } from '../../../files/uploads/stored.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import { servePublic } from '../../../http/serve.ts'
import type { Choices, Module } from '../../../module.ts'
import type { Actor } from '../../../rights/actor.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'

const perm = appInvites.codes.page

/** Invite pages of apps whose merchant a person sees. */
export const inviteSeen = (session: Session): RawBuilder<unknown> => sql`exists (
  select 1 from merchant m where m.app_name = x.app_code and ${scope(session, { merchant: 'm.merchant_no', holder: () => sql`true`, perm })})`

const checkApp = async (tx: Tx, session: Session, appCode: unknown) => {
  const known = await tx.maybe(sql`select 1 from (select ${appCode}::text as app_code) x where ${inviteSeen(session)}`)
  if (!known) throw invalid('appCode', 'validation.wrongValue')
}

/** An activity that rewards inviting, in the very app. */
const checkActivity = async (tx: Tx, activityNo: unknown, appCode: unknown) => {
  const found = await tx.maybe(sql`
    select 1 from activity where activity_no = ${activityNo} and activity_type = 'invite' and ${appCode} = any(app_codes) and deleted_time is null`)
  if (!found) throw invalid('inviteActivity', 'validation.inviteActivity')
}

/** A picture is the writer's own upload; those of before stay, since the history shows them. */
const keepImage = async (tx: Tx, no: string, image: unknown, actor: Actor) => {
  if (image == null || (await attachedTo(tx, String(image)))) return
  await lockReady(tx, String(image), { purpose: 'banner', userNo: actor.no })
  await attachUpload(tx, String(image), 'appInvite', no, actor)
}
const checkImage = async (tx: Tx, image: unknown, no: unknown) => {
  if (image == null) return
  const attached = await attachedTo(tx, String(image))
  const known =
    no !== undefined &&
    (await tx.maybe(sql`select 1 from app_invite where invite_image = ${image} and invite_no = ${no}`))
  if (attached && !known) throw invalid('inviteImage', 'validation.wrongValue')
}

const config = serveConfig(appInvites, {
  prefix: 'AV',
  unique: 'appCode',
  async check({ tx, session, actor }, form, before) {
    const appCode = before?.appCode ?? form.appCode
    await checkApp(tx, session, appCode)
    await checkActivity(tx, form.inviteActivity, appCode)
    await checkImage(tx, form.inviteImage, before?.inviteNo)
    if (before) await keepImage(tx, String(before.inviteNo), form.inviteImage, actor)
  },
  async added({ tx, actor }, no) {
    await tx.flush()
    const { inviteImage } = await tx.one(
      sql<{ inviteImage: string | null }>`select invite_image from app_invite where invite_no = ${no}`,
    )
    await keepImage(tx, no, inviteImage, actor)
  },
  async switches(tx, item: Item, to) {
    if (to === 'disabled') return
    const runs = await tx.maybe(sql`
      select 1 from activity where activity_no = ${item.inviteActivity} and deleted_time is null and enabled = 'enabled' and end_time > ${tx.now}`)
    if (!runs) throw new Fault('stateConflict', 'errors.inviteActivityOff')
  },
  // Words and picture change at once; what invitations are rewarded by, and that the page is shown, takes two people.
  needsChecker: (item, change) =>
    'to' in change ? change.to === 'enabled' : change.form.inviteActivity !== item.inviteActivity,
  source: ({ session }) => ({ where: inviteSeen(session) }),
})

const shown = servePublic(appInvite.shown, async ({ tx, input: { appCode } }) => ({
  invite:
    (await tx.maybe(sql<never>`
      select x.invite_no, a.activity_no, x.invite_title as titles, x.invite_text as texts, x.invite_image from app_invite x join activity a on a.activity_no = x.invite_activity
      where x.app_code = ${appCode} and x.enabled = 'enabled' and x.deleted_time is null and a.enabled = 'enabled' and a.deleted_time is null
        and a.start_time <= ${tx.now} and a.end_time > ${tx.now}`)) ?? null,
}))

/** Activities that reward inviting, for those who set up an invite page. */
const activityChoices: Choices = {
  key: 'INVITE_ACTIVITY',
  list: ({ tx }) =>
    tx.rows(sql<{ value: string; label: string; enabled: boolean }>`
      select activity_no as value, activity_name as label, deleted_time is null and end_time > ${tx.now} as enabled from activity
      where activity_type = 'invite' order by activity_name, activity_no`),
}

/** Invite pages of apps. */
export const appInviteModule = (): Module => ({
  ...config,
  served: [...config.served, shown],
  choices: [activityChoices],
})
