import { z } from 'zod'
import { command, endpoint, noun, read } from '../endpoint.ts'
import { field } from '../fields.ts'
import { LanguageRow } from '../language.ts'

/** One node of the menu tree; `perms` of a page is its full route, of a button one operation code. */
export type MenuNode = {
  menuNo: string
  menuName: string
  menuType: 'catalog' | 'page' | 'button' | 'external'
  perms: string | null
  externalUrl: string | null
  icon: string | null
  sort: number
  childList: MenuNode[]
}
const MenuNode: z.ZodType<MenuNode> = z.lazy(() =>
  z.object({
    menuNo: z.string(),
    menuName: z.string(),
    menuType: z.enum(['catalog', 'page', 'button', 'external']),
    perms: z.string().nullable(),
    externalUrl: z.string().nullable(),
    icon: z.string().nullable(),
    sort: z.int(),
    childList: z.array(MenuNode),
  }),
)

/** The person who is signed in, with their place in the organization. */
export const UserInfo = z.object({
  userNo: z.string(),
  userName: z.string(),
  realName: z.string(),
  loginId: z.string(),
  deptNo: z.string(),
  deptName: z.string(),
  organNo: z.string(),
  principalMerchantNo: z.string(),
  associatedMerchantNos: z.array(z.string()),
  extensionNo: z.string().nullable(),
  isDesensitization: z.boolean(),
  lastLoginTime: field.time().nullable(),
  lastLoginIp: z.string().nullable(),
})
export type UserInfo = z.output<typeof UserInfo>

/**
 * Of a token that a partner's page works with: seconds until it ends, whether it can be renewed until then, and the commands on
 * money that its grant names.
 */
const Embedded = z.object({ expiresIn: z.int(), renewable: z.boolean(), moneyCommands: z.array(z.string()) })

/** What is answered about somebody who is signed in. */
export const signedIn = {
  userInfo: UserInfo,
  userMenu: z.array(MenuNode),
  allowedPaths: z.array(z.string()),
  sensitivePerms: z.array(z.string()),
  passwordUpdateStatus: z.int(),
  /** Texts in force that are not those of the program, in the language of the call. */
  words: z.record(z.string(), z.string()).optional(),
  /** Pages with records carry the sign-in name of who looks at them. */
  watermark: z.boolean().optional(),
  embedded: Embedded.optional(),
}
/** What the console needs after sign-in: the person, their menu, paths and codes. */
export const Self = z.object(signedIn)
export type Self = z.output<typeof Self>

/** What 40302 answers: the operation code that a proof is wanted for, and whether the caller has an authenticator. */
export const StepUp = z.object({ perm: z.string(), bound: z.boolean() })
export type StepUp = z.output<typeof StepUp>

const demoAccount = z.object({ loginId: z.string(), realName: z.string(), post: z.string(), password: z.string() })
/** What the authenticator of everybody in a demo shows now, and for how long yet. */
const demoCode = z.object({ secret: z.string(), code: z.string(), secondsLeft: z.int() })

/** Calls of the session and the account: who I am, sign-out, password, own settings. */
export const user = noun('user/user', {
  demoAccounts: endpoint({
    method: 'GET',
    path: '/noAuth/logon/demo',
    auth: 'anon',
    input: z.strictObject({}),
    output: z.object({
      list: z.array(demoAccount),
      mfa: demoCode.nullable(),
      /** The page that shows what its simulators were given: letters and texts. */
      messages: z.string().nullable(),
    }),
  }),
  languages: endpoint({
    method: 'GET',
    path: '/noAuth/language/list',
    auth: 'anon',
    input: z.strictObject({}),
    output: z.object({ list: z.array(LanguageRow) }),
  }),
  signOut: endpoint({ method: 'POST', path: '/user/signOut', input: z.strictObject({}), output: z.object({}) }),
  self: read('/user/self', { input: {}, output: Self }),
  /** Shows the code of the authenticator, or a recovery code in its place. The proof goes as `X-Step-Up` with calls that answered 40302 ({@link StepUp}), of one operation code. */
  stepUp: endpoint({
    method: 'POST',
    path: '/user/mfa/stepUp',
    input: z.strictObject({
      code: z.string().regex(/^(\d{6}|[A-Za-z2-7]{4}-[A-Za-z2-7]{4})$/, 'validation.codeFormat'),
    }),
    output: z.object({ stepUp: z.string(), expireTime: field.time() }),
  }),
  changePwd: command({
    path: '/user/changePwd',
    audit: 'user.changePwd',
    input: z
      .strictObject({
        oldPassword: z.string().min(1, 'validation.contentEmpty').max(200),
        newPassword: z.string().min(8, 'validation.pwdShort').max(200),
        confirmPassword: z.string().max(200),
      })
      .refine(v => v.newPassword === v.confirmPassword, {
        path: ['confirmPassword'],
        message: 'validation.pwdMismatch',
      }),
    output: z.object({ ended: z.int() }),
  }),
  /** A one-time code for an external link of the menu, good for a minute; the session token stays here. */
  handoff: endpoint({
    method: 'POST',
    path: '/user/handoff',
    writes: true,
    input: z.strictObject({ menuNo: field.key() }),
    output: z.object({ code: z.string(), expireTime: field.time() }),
  }),
})
