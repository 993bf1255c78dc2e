import { z } from 'zod'
import { command, endpoint, noun, read } from '../endpoint.ts'
import { field } from '../fields.ts'
import { languageCodes } from '../language.ts'

const keys = z.array(field.key(120)).max(200)

/** Milliseconds before its end at which a token may be renewed. */
export const renewableMs = 120_000

const issued = z.object({
  token: z.string(),
  expireTime: field.time(),
  /** Seconds until then, for browsers with a clock of their own. */
  expiresIn: z.int(),
  /** No token of this person and page lives longer; then the partner's back end mints a new one. */
  refreshUntil: field.time(),
})

const LiveToken = z.object({
  userNo: field.user(),
  realName: field.user(),
  issuedTime: field.time(),
  lastSeenTime: field.time().nullable(),
  expiresTime: field.time(),
})
const PartnerPage = z.object({
  partnerNo: field.key(),
  partnerName: field.text(),
  enabled: field.flag(),
  origins: z.array(z.string()),
  widgets: z.array(z.string()),
  perms: z.array(z.string()),
  merchantNos: z.array(field.merchant()),
  expireTime: field.time().nullable(),
  lastMintTime: field.time().nullable(),
  tokens: z.array(LiveToken),
})
export type PartnerPage = z.output<typeof PartnerPage>

/** Calls of embed tokens, by which a partner's page shows widgets in the name of a person. */
export const embed = noun('user/embed', {
  /** The back end of a partner, with HTTP Basic (client id and secret), mints for one person and one page. */
  mint: endpoint({
    method: 'POST',
    path: '/embed/token',
    auth: 'partner',
    audit: 'embed.mint',
    input: z.strictObject({
      loginId: field.key(),
      widgets: keys.min(1),
      /** Absent: all that the person and the partner have in common. */
      perms: keys.optional(),
      origin: z.string().max(200),
      merchantNos: keys.optional(),
      language: z.enum(languageCodes.values).optional(),
    }),
    output: issued,
  }),
  /** A token in its last two minutes gives another one like it; the old one answers half a minute more. */
  refresh: endpoint({ method: 'POST', path: '/embed/refresh', input: z.strictObject({}), output: issued }),
  /** The partners, what each may show and do, and who has a token there now. */
  partners: read('/embed/partners', {
    perm: 'embed:revoke',
    input: {},
    output: z.object({ list: z.array(PartnerPage) }),
  }),
  /** Ends the tokens of a partner, or of one person there; `disable` ends the partner too. */
  revoke: command({
    path: '/embed/revoke',
    perm: 'embed:revoke',
    audit: 'embed.revoke',
    input: z.strictObject({
      partnerNo: field.key(),
      userNo: field.key().optional(),
      disable: z.boolean().default(false),
    }),
    output: z.object({ ended: z.int() }),
  }),
  /** Who comes with a hand-off code: asked once, by the partner that the link leads to. */
  handoff: endpoint({
    method: 'POST',
    path: '/embed/handoff',
    auth: 'partner',
    audit: 'embed.handoff',
    input: z.strictObject({ code: field.key(200) }),
    output: z.object({ userNo: z.string(), loginId: z.string(), realName: z.string(), menuNo: z.string() }),
  }),
})
