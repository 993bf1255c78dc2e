import { z } from 'zod'
import { emailFormat, phoneFormat, shortLineFormat } from '../../rules/text/formats.ts'
import { config } from '../config.ts'
import type { Flaw } from '../config-versions.ts'
import { command, endpoint, noun } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'

const types = dictionary('HOTLINE_TYPE', ['phone', 'whatsapp', 'email'])
const spoken = dictionary('HOTLINE_LANGUAGE', ['en', 'sw', 'lg', 'nyn', 'ach', 'zh'])
type Values = Readonly<Record<string, unknown>>

/** What a contact of each type looks like, and what to say of one that does not. */
const written: Readonly<Record<string, [(value: string) => boolean, string]>> = {
  phone: [value => phoneFormat.test(value) || shortLineFormat.test(value), 'validation.linePhone'],
  whatsapp: [value => phoneFormat.test(value), 'validation.phoneFormat'],
  email: [value => emailFormat.test(value), 'validation.emailFormat'],
}

const flaw = ({ hotlineType, contactValue, opensAt, closesAt }: Values): Flaw | null => {
  const [fits, message] = written[String(hotlineType)] ?? []
  if (fits && message && typeof contactValue === 'string' && !fits(contactValue))
    return { path: 'contactValue', message }
  return typeof opensAt === 'string' && typeof closesAt === 'string' && opensAt >= closesAt
    ? { path: 'closesAt', message: 'validation.closesBeforeOpen' }
    : null
}

/** Most apps of one contact. */
const maxApps = 50

const form = {
  displayName: field.texts(64),
  hotlineType: field.dict(types),
  contactValue: field.key(64),
  merchantNo: field.merchant().optional(),
  appCodes: z.array(field.app()).min(1).max(maxApps),
  languages: z.array(field.dict(spoken)).min(1).max(spoken.values.length),
  workDays: field.weekDays(),
  opensAt: field.clock(),
  closesAt: field.clock(),
  complaint: field.flag(),
  answeredHere: field.flag().optional(),
  sort: field.place(),
}

/** Numbers and addresses under which the customers of an app reach us. */
export const hotlines = config({
  name: 'hotline',
  path: '/customerConfig/hotline',
  area: 'org:customerConfig',
  table: 'hotline',
  key: 'hotlineNo',
  row: {
    ...form,
    /** Null for the contacts of all merchants. */
    merchantNo: field.merchant().nullable(),
    merchantName: field.text().nullable(),
    /** A phone line that feeds the service queue of its merchant; null for what is no phone. */
    answeredHere: field.flag().nullable(),
    openNow: field.flag(),
    /** Published announcements that print the contact. */
    usedCount: field.int(),
    /** The phone line that the app shows once this one is off. */
    nextContact: field.text(64).nullable(),
    /** An app whose last phone line, or last complaint contact, this is. */
    lastPhoneApp: field.app().nullable(),
    lastComplaintApp: field.app().nullable(),
  },
  form,
  applies: { answeredHere: ({ hotlineType }) => hotlineType === 'phone' },
  flaw,
  filters: {
    merchantNo: z.array(field.merchant()).optional(),
    appCode: field.app().optional(),
    hotlineType: z.array(field.dict(types)).optional(),
    complaint: field.flag().optional(),
  },
  sort: ['sort'],
  used: true,
})

const Contact = z.object({
  hotlineNo: field.key(),
  displayName: field.texts(64),
  hotlineType: field.dict(types),
  contactValue: field.key(64),
  languages: form.languages,
  workDays: form.workDays,
  opensAt: field.clock(),
  closesAt: field.clock(),
  openNow: field.flag(),
  complaint: field.flag(),
})
export type Contact = z.output<typeof Contact>

/** Most contacts that an app shows. */
const maxContacts = 100

/** Calls of contacts: those of the config, their order per app, and what an app shows. */
export const hotline = noun('operation/hotline', {
  ...hotlines.calls,
  usedBy: hotlines.calls.usedBy as NonNullable<typeof hotlines.calls.usedBy>,
  /** The contacts of an app in force, in their order, as its customers see them. */
  shown: endpoint({
    method: 'GET',
    path: '/noAuth/customerConfig/hotline',
    auth: 'anon',
    input: z.strictObject({ appCode: field.app() }),
    output: z.object({ list: z.array(Contact).max(maxContacts) }),
  }),
  /** Puts the contacts in force of an app into this order. */
  arrange: command({
    path: '/customerConfig/hotline/sort',
    perm: 'org:customerConfig:save',
    audit: 'hotline.sort',
    input: z.strictObject({ appCode: field.app(), hotlineNos: z.array(field.key()).min(1).max(maxContacts) }),
    output: z.object({ moved: z.int() }),
  }),
})
