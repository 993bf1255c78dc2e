import { z } from 'zod'
import { blockedBy } from '../blocked.ts'
import { command, endpoint, list, noun, read } from '../endpoint.ts'
import { dictionary, field, posts } from '../fields.ts'
import { type SensitiveKindName, sensitiveKind } from '../sensitive-kinds.ts'

export const limitTypes = dictionary('LIMIT_TYPE', ['own', 'dept', 'dept_below', 'own_merchants', 'org_below', 'all'])
export type LimitType = (typeof limitTypes.values)[number]
export const roleNatures = dictionary('ROLE_NATURE', ['headquarters', 'merchant', 'outsourced'])
export type RoleNature = (typeof roleNatures.values)[number]

/** The widest data rule that a role of each nature can have. */
export const widestLimit: Readonly<Record<RoleNature, LimitType>> = {
  headquarters: 'all',
  merchant: 'org_below',
  outsourced: 'own_merchants',
}

export const limitRank = (limit: LimitType): number => limitTypes.values.indexOf(limit)
/** A data rule as it works in a role of a nature: a wider one acts as the cap. */
export const cappedLimit = (limit: LimitType, nature: RoleNature): LimitType =>
  limitRank(limit) <= limitRank(widestLimit[nature]) ? limit : widestLimit[nature]

/** Kinds that a role of an agency never has. */
export const notOutsourced: readonly SensitiveKindName[] = ['unmask', 'baseSalary']

/** Most entries of the menu that a role can have. */
const maxNodes = 3_000
/** Most people whom one call adds or takes away. */
export const maxMembers = 200

const basics = {
  roleName: field.text(64),
  roleNature: field.dict(roleNatures),
  post: field.dict(posts).nullable(),
  remark: field.remark(30).nullable(),
}

const Row = z.object({
  roleNo: field.key(),
  ...basics,
  memberCount: field.int(),
  permissionCount: field.int(),
  /** How many of its codes move or forgive money. */
  moneyCount: field.int(),
  sensitivePerms: z.array(field.dict(sensitiveKind)),
  /** Who asked for rights that a second person has yet to decide. */
  pendingApproval: field.user().nullable(),
  updatedBy: field.user().nullable(),
  updatedTime: field.time().nullable(),
  version: z.int(),
  blockedBy: blockedBy(),
})
export type RoleRow = z.output<typeof Row>

const DataRule = z.strictObject({ menuNo: field.key(120), limitType: field.dict(limitTypes) })
export type DataRule = z.output<typeof DataRule>
const Member = z.object({
  userNo: field.key(),
  realName: z.string(),
  deptName: z.string(),
  limitType: field.dict(limitTypes).nullable(),
  roleNames: z.array(z.string()),
})

const Detail = z.object({
  roleNo: field.key(),
  roleNature: field.dict(roleNatures),
  /** Entries of the menu that it has, by number. */
  permissions: z.array(z.string()),
  dataRules: z.array(DataRule),
  sensitivePerms: z.array(field.dict(sensitiveKind)),
  /** Codes of an older version that this one does not have: they grant nothing. */
  orphans: z.array(z.object({ menuNo: z.string(), code: z.string() })),
  version: z.int(),
})
export type RoleDetail = z.output<typeof Detail>

const Node = z.object({
  menuNo: z.string(),
  parentMenuNo: z.string().nullable(),
  menuName: z.string(),
  menuType: z.enum(['catalog', 'page', 'button', 'external']),
  perms: z.string().nullable(),
  sort: z.int(),
  /** It moves or forgives money. */
  money: z.boolean(),
  /** It asks for the person's own code. */
  stepUp: z.boolean(),
  /** Granting it takes a second person. */
  checked: z.boolean(),
  /** The code that a page opens with. */
  reads: z.boolean(),
  /** Data rules that a page allows. */
  limitTypes: z.array(field.dict(limitTypes)),
  defaultLimitType: field.dict(limitTypes),
  /** What the rows of a page are. */
  dataEntity: z.string(),
  /** It is in force: neither it nor what it lies in is switched off. */
  live: z.boolean(),
})
export type CatalogueNode = z.output<typeof Node>

const keyed = { roleNo: field.key() }
const one = { ...keyed, version: z.int() }

/** Roles: what a kind of staff may open, do and see. */
export const role = noun('user/role', {
  page: list('/role/list', {
    perm: 'role:page',
    row: Row,
    filters: {
      search: field.text(64).optional(),
      roleNature: z.array(field.dict(roleNatures)).optional(),
      post: z.array(field.dict(posts)).optional(),
      holdsCode: field.key(64).optional(),
      holdsKind: z.array(field.dict(sensitiveKind)).optional(),
      waiting: field.flag().optional(),
    },
    sort: ['roleNo', 'roleName', 'updatedTime'],
    defaultSort: '-updatedTime',
  }),
  detail: read('/role/detail', { perm: 'role:page', input: keyed, output: Detail }),
  members: list('/role/member/page', {
    perm: 'role:page',
    row: Member.omit({ limitType: true, roleNames: true }).extend({ loginId: z.string() }),
    filters: { roleNo: field.key() },
    sort: ['realName', 'userNo'],
    defaultSort: 'realName',
  }),
  /** People in the caller's reach who can become members, by the beginning of name, sign-in name or number. */
  candidates: endpoint({
    method: 'POST',
    path: '/role/candidates',
    perm: 'user:update',
    input: z.strictObject({ ...keyed, text: field.text(64) }),
    output: z.object({ list: z.array(Member.omit({ limitType: true, roleNames: true })).max(20) }),
  }),
  catalogue: read('/role/catalogue', {
    perm: 'role:page',
    input: {},
    output: z.object({ nodes: z.array(Node), kinds: z.array(field.dict(sensitiveKind)) }),
  }),
  /** Roles and people who hold a code or a sensitive kind, each with the data rule under which. */
  whoMay: endpoint({
    method: 'POST',
    path: '/role/whoMay',
    perm: 'role:page',
    input: z.strictObject({ code: field.key(64) }),
    output: z.object({
      roles: z.array(
        z.object({
          ...keyed,
          roleName: z.string(),
          limitType: field.dict(limitTypes).nullable(),
          memberCount: z.int(),
        }),
      ),
      people: z.array(Member),
      total: z.int(),
    }),
  }),
  save: command({
    path: '/role/save',
    perm: 'role:manage',
    audit: 'role.save',
    stepUp: true,
    input: z.strictObject({
      roleNo: field.key().optional(),
      version: z.int().optional(),
      /** The role whose rights a new one begins with. */
      copyOf: field.key().optional(),
      roleName: field.text(64),
      roleNature: field.dict(roleNatures),
      post: field.dict(posts).optional(),
      remark: field.remark(30).optional(),
      /** Rights that the nature does not allow go. */
      confirmNarrow: z.boolean().optional(),
    }),
    output: z.object({ ...one, approvalNo: z.string().nullable() }),
  }),
  permissions: command({
    path: '/role/permissions',
    perm: 'role:manage',
    audit: 'role.permissions',
    stepUp: true,
    input: z.strictObject({
      ...one,
      permissions: z.array(field.key(120)).max(maxNodes),
      dataRules: z.array(DataRule).max(maxNodes),
      sensitivePerms: z.array(field.dict(sensitiveKind)).max(sensitiveKind.values.length),
    }),
    output: z.object({
      version: z.int(),
      approvalNo: z.string().nullable(),
      added: z.int(),
      removed: z.int(),
      /** Additions that wait for a second person. */
      waiting: z.int(),
    }),
  }),
  addMembers: command({
    path: '/role/member/add',
    perm: 'user:update',
    audit: 'role.addMembers',
    input: z.strictObject({ ...one, userNos: z.array(field.key()).min(1).max(maxMembers) }),
    output: z.object({ version: z.int(), approvalNo: z.string().nullable() }),
  }),
  removeMembers: command({
    path: '/role/member/remove',
    perm: 'user:update',
    audit: 'role.removeMembers',
    input: z.strictObject({ ...one, userNos: z.array(field.key()).min(1).max(maxMembers) }),
    output: z.object({ version: z.int() }),
  }),
  remove: command({
    path: '/role/delete',
    perm: 'role:manage',
    audit: 'role.delete',
    stepUp: true,
    input: z.strictObject(one),
    output: z.object({}),
  }),
})
