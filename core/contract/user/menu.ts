import { z } from 'zod'
import { instance } from '../../rules/machines/machine.ts'
import { configItem } from '../../rules/machines/operation/config-item.ts'
import { blockedBy } from '../blocked.ts'
import { codesOf, ofActions } from '../config-codes.ts'
import { command, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { limitTypes } from './role.ts'

const codes = codesOf({ area: 'menu' })
/** An entry of the menu is on or off. */
export const menuItem = instance(configItem, { table: 'menu', key: 'menu_no', perms: ofActions(codes) })

export const menuTypes = dictionary('MENU_TYPE', ['catalog', 'page', 'button', 'external'])
/** What the rows of a page are: of the business, people, or settings. */
export const dataEntities = dictionary('DATA_ENTITY', ['business', 'people', 'config'])
/** Why an entry does not lead where it says, or something has no entry. */
export const menuDrifts = dictionary('MENU_DRIFT', ['unknown_route', 'unknown_code', 'missing'])

/** Drawings that may stand before the name of an entry. */
export const menuIcons = dictionary('MENU_ICON', [
  ...(['home', 'review', 'money', 'phone', 'headset', 'megaphone', 'sliders', 'tag', 'shop', 'cart'] as const),
  ...(['shield', 'chart', 'medal', 'calendar', 'star', 'receipt', 'people', 'link', 'book', 'bell'] as const),
])
/** The name of a drawing. */
export type MenuIconName = (typeof menuIcons.values)[number]

const shown = {
  menuNo: field.key(200),
  parentNo: field.key(120).nullable(),
  /** In the language of the interface. */
  shownName: field.text(300),
  menuName: field.text(300),
  menuNameEn: field.text(300),
  menuNameSw: field.text(300),
  menuType: field.dict(menuTypes),
  perms: field.key(120).nullable(),
  externalUrl: z.string().nullable(),
  icon: field.dict(menuIcons).nullable(),
  sort: field.int(),
  enabled: field.state(menuItem),
  /** The program brings it: its kind, route or code are not changed here. */
  builtin: field.flag(),
  dataEntity: field.dict(dataEntities),
  limitTypes: z.array(field.dict(limitTypes)),
  defaultLimitType: field.dict(limitTypes),
  /** Roles that have it. */
  grantedRoles: field.int(),
  /** Active people who have it, or something below it. */
  holdingPeople: field.int(),
  /** Entries below it, at any depth. */
  belowCount: field.int(),
  drift: field.dict(menuDrifts).nullable(),
  updatedBy: field.user().nullable(),
  updatedTime: field.time().nullable(),
  version: z.int(),
  blockedBy: blockedBy(),
}
const Row = z.object(shown)
export type MenuItem = z.output<typeof Row> & { childList: MenuItem[] }
const Node: z.ZodType<MenuItem> = z.lazy(() => z.object({ ...shown, childList: z.array(Node) }))
/** An entry of the menu, by field kinds. */
export const menuRow = Row

const Holder = z.object({
  roleNo: field.key(),
  roleName: z.string(),
  limitType: field.dict(limitTypes).nullable(),
  memberCount: field.int(),
})
const Opened = z.object({ method: z.string(), path: z.string(), audit: z.string().nullable() })
const Drift = z.object({
  drift: field.dict(menuDrifts),
  menuNo: z.string(),
  name: z.string(),
  perms: z.string().nullable(),
})

const one = { menuNo: field.key(200) }
const versioned = { ...one, version: z.int() }
const changed = z.object({ version: z.int() })
const option = z.array(z.object({ value: z.string(), label: z.string() }))

/** The menu: which entries the console shows, in which order and words, and which codes and data rules hang on them. */
export const menu = noun('user/menu', {
  tree: read('/menu/tree', { perm: codes.page, input: {}, output: z.object({ list: z.array(Node) }) }),
  detail: read('/menu/detail', {
    perm: codes.page,
    input: one,
    output: z.object({ ...one, roles: z.array(Holder), endpoints: z.array(Opened) }),
  }),
  /** Where menu and program differ. */
  drift: read('/menu/drift', { perm: codes.page, input: {}, output: z.object({ list: z.array(Drift) }) }),
  /** Routes, codes and addresses of systems that an entry can stand for. */
  choices: read('/menu/choices', {
    perm: codes.save,
    input: {},
    output: z.object({ page: option, button: option, catalog: option }),
  }),
  /** A new entry, disabled, when no version is sent; otherwise what may change of one. */
  save: command({
    path: '/menu/save',
    perm: codes.save,
    audit: 'menu.save',
    input: z.strictObject({
      menuNo: field.key(200).optional(),
      version: z.int().optional(),
      parentNo: field.key(120).optional(),
      menuType: field.dict(menuTypes),
      menuName: field.text(),
      menuNameEn: field.text(),
      menuNameSw: field.text(),
      perms: field.key(120).optional(),
      externalUrl: z
        .string()
        .trim()
        .max(500)
        .regex(/^https:\/\/[^\s/]+\S*$/, 'validation.httpsOnly')
        .optional(),
      icon: field.dict(menuIcons).optional(),
      sort: field.place(),
      dataEntity: field.dict(dataEntities).optional(),
    }),
    output: z.object(versioned),
  }),
  /** Below another entry, or at the top, and before one of those there; behind them all where none is named. */
  move: command({
    path: '/menu/move',
    perm: codes.save,
    audit: 'menu.move',
    input: z.strictObject({
      ...versioned,
      parentNo: field.key(120).optional(),
      beforeNo: field.key(120).optional(),
    }),
    output: changed,
  }),
  state: command({
    path: '/menu/state',
    perm: codes.enable,
    audit: 'menu.state',
    on: { machine: menuItem, event: 'item.enable', or: ['item.disable'], key: 'menuNo' },
    input: z.strictObject({ ...versioned, enabled: field.flag() }),
    output: changed,
  }),
  remove: command({
    path: '/menu/delete',
    perm: codes.delete,
    audit: 'menu.delete',
    on: { machine: menuItem, event: 'item.delete', key: 'menuNo' },
    input: z.strictObject(versioned),
    output: z.object({}),
  }),
  /** Entries for routes and codes of the program that have none, disabled. */
  addMissing: command({
    path: '/menu/addMissing',
    perm: codes.save,
    audit: 'menu.addMissing',
    input: z.strictObject({}),
    output: z.object({ added: z.int() }),
  }),
  /** Which data rules a page allows, and with which one it begins in a role. */
  dataRule: command({
    path: '/menu/dataRule',
    perm: codes.save,
    audit: 'menu.dataRule',
    input: z.strictObject({
      ...versioned,
      limitTypes: z.array(field.dict(limitTypes)).min(1, 'validation.contentEmpty').max(limitTypes.values.length),
      defaultLimitType: field.dict(limitTypes),
      /** Roles that use a type that goes fall back to the default. */
      confirmFallback: z.boolean().optional(),
    }),
    output: z.object({ version: z.int(), roles: z.int() }),
  }),
})
