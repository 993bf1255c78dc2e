import { z } from 'zod'
import { config } from '../config.ts'
import { endpoint, noun } from '../endpoint.ts'
import { field } from '../fields.ts'

const form = {
  /** The activity by which an invitation is rewarded. */
  inviteActivity: field.option('INVITE_ACTIVITY'),
  inviteTitle: field.texts(60),
  inviteText: field.texts(600),
  inviteImage: field.file('banner').optional(),
}

/** The page by which the customers of an app invite others; another activity waits for a second person. */
export const appInvites = config({
  name: 'appInvite',
  path: '/appConfig/invite',
  area: 'app:invite',
  codes: { page: 'app:content:page', save: 'app:invite', enable: 'app:invite', delete: 'app:invite' },
  table: 'app_invite',
  key: 'inviteNo',
  row: { appCode: field.app(), ...form, inviteImage: field.file('banner').nullable() },
  form,
  create: { appCode: field.app() },
  filters: { appCode: field.app().optional() },
  sort: ['appCode'],
  checked: true,
})

const three = z.object({ zh: z.string(), en: z.string(), sw: z.string() })

/** Calls of invite pages: those of the config, and what an app asks. */
export const appInvite = noun('operation/app-invite', {
  ...appInvites.calls,
  /** The invite page of an app while its activity runs; null where there is none. */
  shown: endpoint({
    method: 'GET',
    path: '/noAuth/appConfig/invite',
    auth: 'anon',
    input: z.strictObject({ appCode: field.app() }),
    output: z.object({
      invite: z
        .object({
          inviteNo: field.key(),
          activityNo: field.key(),
          titles: three,
          texts: three,
          inviteImage: z.string().nullable(),
        })
        .nullable(),
    }),
  }),
})
