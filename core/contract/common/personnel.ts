import { z } from 'zod'
import { employee } from '../../rules/machines/user/employee.ts'
import { userAccount } from '../../rules/machines/user/user-account.ts'
import { blockedBy } from '../blocked.ts'
import type { Flaw } from '../config-versions.ts'
import { command, type ListEndpoint, list, read, results } from '../endpoint.ts'
import { dictionary, field, type Post, posts } from '../fields.ts'

/** Most people of one command. */
export const maxPersons = 200

/** Whether somebody is on duty as their shifts say, or as a supervisor says for now. */
export const shiftOverrides = dictionary('SHIFT_OVERRIDE', ['scheduled', 'on', 'off'])
/** What says that somebody is on duty or is not: leave comes first, then a supervisor's word, then the console itself. */
export const shiftSources = dictionary('SHIFT_SOURCE', ['leave', 'override', 'signed_in'])
/** Whether work may be given to somebody of the personnel, and if not, why. `gone`: no longer holds a role of the post. */
export const standings = dictionary('PERSON_STANDING', ['at_work', 'gone', 'frozen', 'left'])

type Shape = z.ZodRawShape
type Fields = Readonly<Record<string, unknown>>

const Candidate = z.object({
  userNo: field.key(),
  realName: field.text(),
  loginId: field.text(32),
  deptName: field.text(),
  /** Work in hand, which goes back or to somebody else. */
  openCount: field.int(),
  /** What of it somebody else takes over, and who. */
  handsOver: z.array(field.text()),
  heirName: field.text().nullable(),
})

/** What every personnel record asks; where nobody is allotted work, not whether it comes by itself. */
const common = {
  groupNo: field.text(20),
  principalMerchantNo: field.merchant(),
  associatedMerchantNos: z.array(field.merchant()).max(1_000).optional(),
  autoAllocation: field.flag(),
}
type Common = typeof common
/** What is asked of those alone who are allotted work. */
const ofAllotted = ['autoAllocation', 'onShift', 'shiftSource'] as const
const allotted = <S extends Shape>(shape: S, allots: boolean): S =>
  (allots
    ? shape
    : Object.fromEntries(Object.entries(shape).filter(([name]) => !ofAllotted.includes(name as 'onShift')))) as S
type Optional<S extends Shape> = { [K in keyof S]: z.ZodOptional<S[K]> }

const columns = () => ({
  userNo: field.key(),
  realName: field.text(),
  loginId: field.text(32),
  jobNo: field.text(8).nullable(),
  deptName: field.text(),
  groupNo: field.text(20).nullable(),
  principalMerchantNo: field.merchant().nullable(),
  principalMerchantName: field.text().nullable(),
  associatedMerchantNos: z.array(field.merchant()),
  associatedMerchantNames: z.array(field.text()),
  staffType: field.dict(posts),
  aiEmployee: field.flag(),
  autoAllocation: field.flag(),
  onShift: field.flag(),
  shiftSource: field.dict(shiftSources),
  /** Work in hand. */
  openCount: field.int(),
  standing: field.dict(standings),
  employeeStatus: field.state(employee),
  userStatus: field.state(userAccount),
  updatedBy: field.user(),
  updatedTime: field.time(),
  version: z.int(),
  blockedBy: blockedBy(),
})

const filters = {
  search: field.text(64).optional(),
  groupNo: field.text(20).optional(),
  merchantNo: z.array(field.merchant()).optional(),
  deptNo: field.dept().optional(),
  onShift: field.flag().optional(),
  autoAllocation: field.flag().optional(),
  aiEmployee: field.flag().optional(),
  userStatus: z.array(field.state(userAccount)).optional(),
  employeeStatus: z.array(field.state(employee)).optional(),
}

type Given<R extends Shape, F extends Shape, L extends Shape, O extends string> = {
  /** Nobody is allotted work where this is false: no automatic allocation, and no duty. */
  allots?: false
  /** The noun, as commands are called in the audit log. */
  name: string
  /** People who hold a role of this post belong to the personnel. */
  post: Post
  /** Below {@link base}; the calls lie under it. */
  path: `/${string}`
  /** The codes are `{area}:page`, `:sync`, `:update`, `:batchUpdate`, `:export`. */
  area: string
  table: string
  /** Columns besides those of every personnel list. */
  row: R
  /** What people may change besides group, merchants and automatic allocation. */
  form: F
  /** What several people cannot have at once. */
  alone?: readonly (keyof F & string)[]
  /** What may be changed of several people besides the fields of the form. */
  several?: Shape
  /** What is wrong between fields, on the page as on the server. */
  flaw?: (values: Fields) => Flaw | null
  filters: L
  sort: readonly O[]
  /** Numbers that are added up over all people of a filter. */
  totals?: readonly (keyof R & string)[]
  /** What files of the list are called. */
  as: NonNullable<Parameters<typeof list>[1]['exported']>['as']
}

const optional = <S extends Shape>(shape: S): Optional<S> =>
  Object.fromEntries(
    Object.entries(shape).map(([name, one]) => [name, (one as z.ZodType).optional()]),
  ) as never as Optional<S>

const counts = { joining: z.int().nonnegative(), leaving: z.int().nonnegative() }
/** Takes up those who belong to a post, and marks those who no longer do. */
const synchronising = ({ name, path }: { name: string; path: `/${string}` }, perm: string) => ({
  /** Who would be added, and who no longer belongs here. */
  preview: read(`${path}/sync/preview`, {
    perm,
    input: {},
    output: z.object({ joining: z.array(Candidate), leaving: z.array(Candidate) }),
  }),
  /** Adds and marks as many as were seen; refused when it would be others. */
  sync: command({
    path: `${path}/sync`,
    perm,
    audit: `${name}.sync`,
    input: z.strictObject(counts),
    output: z.object(counts),
  }),
})

/**
 * Declares the people of one post: who takes which work, how much of it, from when. Its calls, the server's handlers
 * (`servePersonnel`) and its screen (`personnelScreen`) follow.
 * @example personnel({ name: 'auditPerson', post: 'auditor', path: '/loans/audit/person', area: 'audit:user', table: 'audit_person', … })
 */
export const personnel = <R extends Shape, F extends Shape, L extends Shape, const O extends string>(
  given: Given<R, F, L, O>,
) => {
  const { name, path, area, flaw, allots = true, alone = [] } = given
  const perms = { page: `${area}:page`, sync: `${area}:sync`, update: `${area}:update`, batch: `${area}:batchUpdate` }
  const row = z.object({ ...allotted(columns(), allots), ...given.row })
  const form = { ...allotted(common, allots), ...given.form } as Common & F
  const shared = Object.fromEntries(Object.entries(form).filter(([field]) => !alone.includes(field)))
  const several: Shape = { ...shared, ...given.several }
  const calls = {
    page: list(`${path}/page`, {
      perm: perms.page,
      row,
      filters: { ...allotted(filters, allots), ...given.filters },
      sort: ['realName', 'openCount', 'updatedTime', ...given.sort] as never as readonly (O &
        keyof z.output<typeof row> &
        string)[],
      defaultSort: 'realName' as never,
      ...(given.totals && { totals: given.totals as never }),
      exported: { as: given.as, perm: `${area}:export` },
    }),
    ...synchronising(given, perms.sync),
    update: command({
      path: `${path}/update`,
      perm: perms.update,
      audit: `${name}.update`,
      input: z.strictObject({ userNo: field.key(), version: z.int(), ...form }).superRefine((values, context) => {
        const found = flaw?.(values as Fields)
        if (found) context.addIssue({ code: 'custom', path: [found.path], message: found.message })
      }) as z.ZodObject,
      output: z.object({ version: z.int() }),
    }),
    batchUpdate: command({
      path: `${path}/batchUpdate`,
      perm: perms.batch,
      audit: `${name}.batchUpdate`,
      input: z
        .strictObject({ userNos: z.array(field.key()).min(1).max(maxPersons), ...optional(several) })
        .refine(values => Object.entries(values).some(([key, value]) => key !== 'userNos' && value !== undefined), {
          path: ['groupNo'],
          message: 'validation.infoComplete',
        }) as z.ZodObject,
      output: results,
    }),
  }
  return { ...given, perms, row, form, several, calls }
}

type Calls = ReturnType<typeof personnel<Shape, Shape, Shape, string>>['calls']
/** The personnel of one post as server and screen see it, whichever it is. */
export type Personnel = Pick<Given<Shape, Shape, Shape, string>, 'name' | 'post' | 'table' | 'flaw' | 'allots'> & {
  perms: Readonly<Record<'page' | 'sync' | 'update' | 'batch', string>>
  row: z.ZodObject
  form: Shape
  /** What may be changed of several people. */
  several: Shape
  calls: Omit<Calls, 'page'> & { page: ListEndpoint }
}
