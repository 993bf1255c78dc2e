import { z } from 'zod'
import { command, done, list, noun } from '../endpoint.ts'
import { field, sensitiveKinds } from '../fields.ts'

/** How many views one person may have of one list, and how many of one list may be shared. */
export const viewCaps = { own: 30, shared: 50 } as const

/** Filters that no view keeps: full values of people, which a shared view or the database would hand on. */
export const unkept: ReadonlySet<string> = new Set([...sensitiveKinds, 'customerName', 'payerAccount'])

const part = z.union([z.string().max(200), z.number(), z.null()])
const value = z.union([z.string().max(2000), z.number(), z.boolean(), z.array(part).max(500)])

/** What a view says of its list. */
const look = {
  filters: z
    .record(z.string().max(40), value)
    .refine(filters => Object.keys(filters).length <= 40, 'validation.wrongValue')
    .refine(filters => !Object.keys(filters).some(name => unkept.has(name)), 'validation.viewSensitive'),
  columns: z.array(field.key(40)).max(60),
  sort: field.key(41),
  /** `null` is the density of the widget. */
  density: z.enum(['normal', 'compact']).nullable(),
}
/** Tag of the element, with `/tab` where it has several lists. */
const widget = () => field.key(80)
const viewName = () => field.text(40)

const View = z.object({
  viewNo: field.key(),
  viewName: viewName(),
  widget: widget(),
  ...look,
  filters: z.record(z.string(), z.unknown()),
  shared: field.flag(),
  isDefault: field.flag(),
  /** Only an own view can be changed. */
  mine: field.flag(),
  ownerName: field.user(),
  version: z.int(),
})
export type View = z.output<typeof View>

/** Saved views of a list: filters, columns, sort and density under a name. Personal unless shared. */
export const view = noun('portal/view', {
  page: list('/user/view/page', {
    row: View,
    filters: { widget: widget() },
    sort: ['viewName'],
    defaultSort: 'viewName',
  }),
  saveAs: command({
    path: '/user/view/saveAs',
    audit: 'view.saveAs',
    input: z.strictObject({ widget: widget(), viewName: viewName(), ...look }),
    output: View,
  }),
  save: command({
    path: '/user/view/save',
    audit: 'view.save',
    input: z.strictObject({ viewNo: field.key(), version: z.int(), viewName: viewName(), ...look }),
    output: View,
  }),
  remove: command({
    path: '/user/view/delete',
    audit: 'view.remove',
    input: z.strictObject({ viewNo: field.key(), version: z.int() }),
    output: done,
  }),
  /** Whatever the caller sees can be what their list starts with; `null` is the list as its screen has it. */
  setDefault: command({
    path: '/user/view/default',
    audit: 'view.setDefault',
    input: z.strictObject({ widget: widget(), viewNo: field.key().nullable() }),
    output: done,
  }),
  share: command({
    path: '/user/view/share',
    perm: 'view:share',
    audit: 'view.share',
    input: z.strictObject({ viewNo: field.key(), version: z.int(), shared: field.flag() }),
    output: View,
  }),
})
