import { z } from 'zod'
import { command, list, noun } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'

/** Where the customers of a group come from. */
export const groupKinds = dictionary('USER_GROUP_KIND', ['rule', 'import'])
/** What the number of a group is verified for. */
export const groupPurposes = dictionary('GROUP_PURPOSE', ['sms', 'robot', 'list', 'coupon', 'quota'])

const perm = 'mkt:sms:page'
const base = '/marketing/manage/userGroup'

const Row = z.object({
  userGroupNo: field.key(),
  userGroupName: field.text(64),
  userGroupKind: field.dict(groupKinds),
  /** Of those whom the reader serves. */
  groupMembers: field.int(),
  refreshTime: field.time().nullable(),
  expireTime: field.time().nullable(),
  createdBy: field.user(),
  createdTime: field.time(),
})
/** A row of the groups. */
export type UserGroupRow = z.output<typeof Row>

/** A row of a file of numbers. */
export const importedMember = z.object({
  userGroupName: field.text(64),
  merchantNo: field.key(20),
  phone: field.phone(),
})
export type ImportedMember = z.output<typeof importedMember>

/** Numbered sets of customers, which tasks are made for. */
export const userGroups = noun('marketing/user-group', {
  page: list(`${base}/page`, {
    perm,
    row: Row,
    filters: {
      userGroupNo: field.key().optional(),
      userGroupName: field.text(64).optional(),
      userGroupKind: z.array(field.dict(groupKinds)).optional(),
      createdTime: field.dateRange().optional(),
    },
    sort: ['createdTime'],
    defaultSort: '-createdTime',
    imported: {
      as: 'userGroups',
      perm: 'mkt:sms:save',
      row: importedMember,
      key: ['userGroupName', 'merchantNo', 'phone'],
      example: { userGroupName: 'Market women', merchantNo: 'M1', phone: '256772345678' },
    },
  }),
  /** Whether a number names a group that may be used, and how many customers of it the caller reaches. */
  verify: command({
    path: `${base}/verify`,
    perm,
    audit: 'userGroup.verify',
    input: z.strictObject({ userGroupNo: field.key(), purpose: field.dict(groupPurposes) }),
    output: z.object({
      userGroupName: field.text(64),
      groupMembers: field.int(),
      /** Members of merchants out of the caller's reach. */
      outsideScope: field.int(),
      refreshTime: field.time().nullable(),
      verifyToken: z.string(),
    }),
  }),
})
