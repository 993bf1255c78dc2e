import { z } from 'zod'
import { blockedBy } from '../blocked.ts'
import { command, list, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { limitTypes } from './role.ts'

export const deptNatures = dictionary('DEPT_NATURE', ['headquarters', 'merchant', 'outsourced', 'support'])
export type DeptNature = (typeof deptNatures.values)[number]

/** Most departments one below the other, and most characters of a number that is typed. */
export const maxDeptDepth = 8
export const maxDeptNo = 20

const perm = 'dept:page'

const columns = {
  deptNo: field.key(),
  deptName: field.text(),
  parentNo: field.key().nullable(),
  deptNature: field.dict(deptNatures),
  orgNo: field.key(),
  orgName: field.text(),
  leaderNo: field.key().nullable(),
  leaderName: field.user().nullable(),
  /** Departments right below, and all below. */
  subCount: field.int(),
  subCountBelow: field.int(),
  /** People here, and with those of all departments below; frozen and left ones are not counted. */
  userCount: field.int(),
  userCountBelow: field.int(),
  sort: field.int(),
  updatedBy: field.user().nullable(),
  updatedTime: field.time().nullable(),
  version: z.int(),
  blockedBy: blockedBy(),
}
const Row = z.object(columns)
export type DeptRow = z.output<typeof Row>

/** A department with those below it. Those above the caller's reach are shown for their place alone. */
export type DeptNode = DeptRow & {
  /** As `deptName`. */
  name: string
  /** Whether the caller's data rule reaches it. */
  reached: boolean
  childList: DeptNode[]
}
const Node: z.ZodType<DeptNode> = z.lazy(() =>
  z.object({ ...columns, name: z.string(), reached: z.boolean(), childList: z.array(Node) }),
)

/** A page whose rows a department decides about, with the role that says so. */
const RuledPage = z.object({
  menuNo: z.string(),
  menuName: z.string(),
  roleName: z.string(),
  limitType: field.dict(limitTypes),
  /** People of the department who have the role. */
  memberCount: field.int(),
})

const one = { deptNo: field.key(maxDeptNo) }
const versioned = { ...one, version: z.int() }
const ids = z.object(versioned)

/** Departments, in the tree that data rules and allocation hang on. */
export const dept = noun('user/dept', {
  tree: read('/dept/tree', {
    anyPerm: [perm, 'user:page'],
    input: {
      /** Whose data rule decides what is reached: that of the page of departments, or of the page of people. */
      of: z.enum(['departments', 'people']).default('departments'),
    },
    output: z.object({ list: z.array(Node) }),
  }),
  page: list('/dept/list', {
    perm,
    row: Row,
    filters: {
      parentNo: field.dept().optional(),
      search: field.text().optional(),
      deptNature: z.array(field.dict(deptNatures)).optional(),
      orgNo: field.organization().optional(),
    },
    sort: ['sort', 'deptName', 'updatedTime'],
    defaultSort: 'sort',
  }),
  detail: read('/dept/detail', {
    perm,
    input: one,
    output: z.object({ ...one, deptName: z.string(), pages: z.array(RuledPage) }),
  }),
  /** What moving a department would change. */
  moveEffect: read('/dept/moveEffect', {
    perm: 'dept:save',
    input: { ...one, parentNo: field.dept().optional() },
    output: z.object({
      subCountBelow: z.int(),
      userCountBelow: z.int(),
      /** People whose data rule reaches other departments afterwards. */
      concerned: z.int(),
    }),
  }),
  /** A new department when no version is sent; otherwise what may change of one. */
  save: command({
    path: '/dept/save',
    perm: 'dept:save',
    audit: 'dept.save',
    input: z.strictObject({
      deptNo: field
        .key(maxDeptNo)
        .regex(/^[A-Za-z0-9_-]+$/, 'validation.deptNoFormat')
        .optional(),
      version: z.int().optional(),
      /** The department that a new one stands below. */
      parentNo: field.dept().optional(),
      deptName: field.text(),
      deptNature: field.dict(deptNatures),
      orgNo: field.organization(),
      leaderNo: field.user().optional(),
      sort: field.place(),
    }),
    output: ids,
  }),
  move: command({
    path: '/dept/move',
    perm: 'dept:save',
    audit: 'dept.move',
    /** Without a parent it stands at the top. */
    input: z.strictObject({ ...versioned, parentNo: field.dept().optional() }),
    output: z.object({ version: z.int(), concerned: z.int() }),
  }),
  remove: command({
    path: '/dept/delete',
    perm: 'dept:delete',
    audit: 'dept.delete',
    input: z.strictObject(versioned),
    output: z.object({}),
  }),
})
