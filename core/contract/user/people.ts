import { z } from 'zod'
import { employee } from '../../rules/machines/user/employee.ts'
import { mfa } from '../../rules/machines/user/mfa.ts'
import { password } from '../../rules/machines/user/password.ts'
import { userAccount } from '../../rules/machines/user/user-account.ts'
import { emailFormat, jobNoFormat } from '../../rules/text/formats.ts'
import { blockedBy } from '../blocked.ts'
import { command, list, noun, read, results } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { limitTypes } from './role.ts'

const perm = 'user:page'
const freezeReasons = dictionary('FREEZE_REASON', ['manual', 'left', 'expired', 'security'])
/** What an administrator looks after: never signed in, not for 30 days, locked after failures, access ends within 7 days. */
export const userAttention = dictionary('USER_ATTENTION', ['never_signed_in', 'not_lately', 'locked', 'expiring'])
const channels = dictionary('LINK_CHANNEL', ['email', 'phone'])

/** Most people of one command. */
export const maxPeople = 200

const Row = z.object({
  userNo: field.key(),
  loginId: field.text(32),
  userName: field.text(),
  realName: field.text(),
  jobNo: field.text(8).nullable(),
  deptNo: field.dept(),
  deptName: field.text(),
  roleNames: z.array(field.text()),
  principalMerchantName: field.text(),
  /** Merchants besides the principal one. */
  associatedCount: field.int(),
  phone: field.masked('phone', 'user').nullable(),
  phoneVerified: field.flag(),
  email: field.email().nullable(),
  emailVerified: field.flag(),
  extensionNo: field.text(20).nullable(),
  userStatus: field.state(userAccount),
  freezeTime: field.time().nullable(),
  freezeReason: field.dict(freezeReasons).nullable(),
  employeeStatus: field.state(employee),
  internalUser: field.flag(),
  validUntil: field.date().nullable(),
  mfaStatus: field.state(mfa),
  passwordStatus: field.state(password),
  /** While failures keep the login name locked. */
  lockedUntil: field.time().nullable(),
  /** While the codes that move money sleep, because the authenticator was reset. */
  sleepingUntil: field.time().nullable(),
  lastLoginTime: field.time().nullable(),
  createdTime: field.time(),
  /** In UGX; null for readers without `pii:reveal:baseSalary`. */
  baseSalary: field.money().nullable(),
  /** Sessions that are open now, and orders under review. */
  sessionCount: field.int(),
  auditCount: field.int(),
  /** Channels that others take over as the person goes, and who does; nobody without a head of the group. */
  handsOver: z.array(field.text()),
  heirName: field.text().nullable(),
  pendingApproval: z.string().nullable(),
  version: z.int(),
  blockedBy: blockedBy(),
})
export type PersonRow = z.output<typeof Row>

const jobNo = () => z.string().trim().regex(jobNoFormat, 'validation.jobNoFormat')
const email = () => z.string().trim().regex(emailFormat, 'validation.emailFormat')
const extension = () =>
  z
    .string()
    .trim()
    .regex(/^\d{2,10}$/, 'validation.extensionFormat')

/** What a form asks of a person. */
const form = {
  userName: field.text(),
  realName: field.text(),
  jobNo: jobNo().optional(),
  deptNo: field.dept(),
  roleNos: z.array(field.role()).min(1, 'validation.contentEmpty').max(50),
  principalMerchantNo: field.merchant(),
  associatedMerchantNos: z.array(field.merchant()).max(1_000).optional(),
  phone: field.phone().optional(),
  email: email().optional(),
  extensionNo: extension().optional(),
  baseSalary: field.money().optional(),
  internalUser: field.flag().optional(),
  validUntil: field.date().optional(),
}
export const personForm = form

const Detail = z.object({
  userNo: field.key(),
  loginId: field.text(32),
  userName: field.text(),
  realName: field.text(),
  jobNo: field.text(8).nullable(),
  deptNo: field.dept(),
  deptName: field.text(),
  roleNos: z.array(field.role()),
  roleNames: z.array(field.text()),
  principalMerchantNo: field.merchant(),
  principalMerchantName: field.text(),
  associatedMerchantNos: z.array(field.merchant()),
  associatedMerchantNames: z.array(field.text()),
  phone: field.masked('phone', 'user').nullable(),
  phoneVerified: field.flag(),
  email: field.email().nullable(),
  emailVerified: field.flag(),
  extensionNo: field.text(20).nullable(),
  internalUser: field.flag(),
  validUntil: field.date().nullable(),
  baseSalary: field.money().nullable(),
  lastDay: field.date().nullable(),
  lastLoginTime: field.time().nullable(),
  lastLoginIp: z.string().nullable(),
  createdTime: field.time(),
  version: z.int(),
})
export type PersonDetail = z.output<typeof Detail>

const Right = z.object({
  perms: field.key(120),
  /** The page that the code belongs to. */
  menuName: field.text(),
  roleName: field.text(),
  limitType: field.dict(limitTypes),
  /** It sleeps for a day after the authenticator was reset. */
  sleeping: field.flag(),
})
const SensitiveRight = z.object({ kind: field.key(), roleName: field.text() })
const SessionOf = z.object({
  sessionNo: field.key(),
  createdTime: field.time(),
  lastSeenTime: field.time(),
  ip: z.string().nullable(),
  browser: z.string().nullable(),
})
const SignIn = z.object({ auditNo: z.int(), at: field.time(), action: z.string(), ip: z.string().nullable() })
const Act = z.object({
  actNo: z.string(),
  at: field.time(),
  action: z.string(),
  objectType: z.string(),
  objectNo: z.string(),
})

const one = { userNo: field.key() }
const versioned = { ...one, version: z.int() }
const several = { userNos: z.array(field.key()).min(1).max(maxPeople) }
/** Number of the request where a second person has to agree; null where it is done. */
const sent = z.object({ approvalNo: field.key().nullable(), version: z.int().optional() })

/** Either way a person can be reached is enough. */
const reachable = ({ phone, email: address }: { phone?: string; email?: string }) => Boolean(phone ?? address)

/** People of the staff: who works here, in which place, with which roles, and whether they may sign in. */
export const people = noun('user/people', {
  page: list('/user/list', {
    perm,
    row: Row,
    filters: {
      search: field.text(64).optional(),
      deptNo: field.dept().optional(),
      /** This department alone, without those below it. */
      deptAt: field.dept().optional(),
      /** Job numbers, one or many as they are pasted. */
      jobNos: field.key(2_000).optional(),
      phone: field.phone().optional(),
      roleNo: z.array(field.role()).optional(),
      merchantNo: z.array(field.merchant()).optional(),
      userStatus: z.array(field.state(userAccount)).optional(),
      employeeStatus: z.array(field.state(employee)).optional(),
      internalUser: field.flag().optional(),
      mfaStatus: z.array(field.state(mfa)).optional(),
      /** Not signed in since this day. */
      notSince: field.date().optional(),
      attention: field.dict(userAttention).optional(),
    },
    sort: ['createdTime', 'lastLoginTime', 'freezeTime', 'deptName'],
    defaultSort: '-createdTime',
    exported: { as: 'users', perm: 'user:export' },
  }),
  detail: read('/user/detail', { perm, input: one, output: Detail }),
  rights: read('/user/rights', {
    perm,
    input: one,
    output: z.object({ list: z.array(Right), sensitive: z.array(SensitiveRight) }),
  }),
  sessions: read('/user/session/page', { perm, input: one, output: z.object({ list: z.array(SessionOf) }) }),
  /** Sign-ins of the last 30 days, also failed ones. */
  signIns: read('/user/signIn/page', { perm, input: one, output: z.object({ list: z.array(SignIn) }) }),
  /** What the person changed, saw in full and exported in the last 30 days. */
  activity: read('/user/activity/page', {
    perm: 'log:user:page',
    input: one,
    output: z.object({ list: z.array(Act) }),
  }),
  add: command({
    path: '/user/save',
    perm: 'user:add',
    audit: 'user.add',
    on: { machine: userAccount, event: 'user.add', key: 'userNo' },
    input: z
      .strictObject({
        loginId: z
          .string()
          .normalize('NFC')
          .trim()
          .regex(/^[A-Za-z0-9._-]{4,32}$/, 'validation.loginIdFormat'),
        ...form,
      })
      .refine(reachable, { path: ['email'], message: 'validation.reachable' }),
    output: z.object({
      ...one,
      approvalNo: field.key().nullable(),
      /** Where the one-time link goes, masked. */
      sentTo: z.string(),
    }),
  }),
  update: command({
    path: '/user/update',
    perm: 'user:update',
    audit: 'user.update',
    on: { machine: userAccount, event: 'user.update', key: 'userNo' },
    /** Phone, e-mail and roles that are not given stay as they are. */
    input: z.strictObject({
      ...versioned,
      ...form,
      roleNos: form.roleNos.optional(),
      clear: z.enum(['phone', 'email']).optional(),
    }),
    output: sent,
  }),
  batchUpdate: command({
    path: '/user/batchUpdate',
    perm: 'user:batchUpdate',
    audit: 'user.batchUpdate',
    input: z
      .strictObject({
        ...several,
        deptNo: field.dept().optional(),
        addRoleNo: field.role().optional(),
        removeRoleNo: field.role().optional(),
        principalMerchantNo: field.merchant().optional(),
        addMerchantNos: z.array(field.merchant()).min(1).max(1_000).optional(),
        removeMerchantNos: z.array(field.merchant()).min(1).max(1_000).optional(),
        validUntil: field.date().optional(),
        internalUser: field.flag().optional(),
      })
      .refine(({ userNos: _, ...changes }) => Object.values(changes).some(value => value !== undefined), {
        path: ['deptNo'],
        message: 'validation.infoComplete',
      }),
    output: results,
  }),
  freeze: command({
    path: '/user/freeze',
    perm: 'user:freeze',
    audit: 'user.freeze',
    on: { machine: userAccount, event: 'user.freeze', key: 'userNos' },
    input: z.strictObject({ ...several, reason: field.remark(30).min(1, 'validation.contentEmpty') }),
    output: results,
  }),
  unfreeze: command({
    path: '/user/unfreeze',
    perm: 'user:unfreeze',
    audit: 'user.unfreeze',
    on: { machine: userAccount, event: 'user.unfreeze', key: 'userNos' },
    input: z.strictObject(several),
    output: results,
  }),
  unlock: command({
    path: '/user/unlock',
    perm: 'user:unfreeze',
    audit: 'user.unlock',
    input: z.strictObject(one),
    output: z.object({}),
  }),
  resetPwd: command({
    path: '/user/resetPwd',
    perm: 'user:resetPwd',
    audit: 'user.resetPwd',
    on: { machine: userAccount, event: 'user.resetPwd', key: 'userNo' },
    input: z.strictObject(one),
    output: z.object({ channel: field.dict(channels), sentTo: z.string(), ended: z.int() }),
  }),
  expiry: command({
    path: '/user/expiry',
    perm: 'user:appUserExpiry',
    audit: 'user.expiry',
    on: { machine: userAccount, event: 'appUser.expire', key: 'userNo' },
    /** Without a day the account does not end by itself. */
    input: z.strictObject({ ...versioned, validUntil: field.date().optional() }),
    output: sent,
  }),
  leave: command({
    path: '/user/leave',
    perm: 'user:update',
    audit: 'user.leave',
    on: { machine: employee, event: 'employee.leave', key: 'userNo' },
    input: z.strictObject({ ...versioned, lastDay: field.date() }),
    output: z.object({ ended: z.int(), returned: z.int() }),
  }),
  rejoin: command({
    path: '/user/rejoin',
    perm: 'user:update',
    audit: 'user.rejoin',
    on: { machine: employee, event: 'employee.rejoin', key: 'userNo' },
    input: z.strictObject({ ...versioned, reason: field.remark(30).min(1, 'validation.contentEmpty') }),
    output: z.object({ approvalNo: field.key() }),
  }),
  endSession: command({
    path: '/user/session/revoke',
    perm: 'user:session:revoke',
    audit: 'user.endSession',
    input: z.strictObject({ ...one, sessionNo: field.key(60) }),
    output: z.object({}),
  }),
})
