import { z } from 'zod'
import { bvnFormat } from '../../rules/text/formats.ts'
import { dictionary, field } from '../fields.ts'

/** How a contact became known: the applicant named them, or the phone's own record shows how often they talk. */
export const contactSources = dictionary('CONTACT_SOURCE', ['declared', 'affinity'])
/** Mobile networks of Uganda, by the numbers that they give out. */
export const phoneNetworks = dictionary('PHONE_NETWORK', ['mtn', 'airtel', 'utl', 'lycamobile', 'other'])
/** What an app on a phone is for, as far as it says something about a borrower. */
export const appCategories = dictionary('APP_CATEGORY', [
  'lending',
  'gambling',
  'wallet',
  'banking',
  'messaging',
  'social',
  'shopping',
  'transport',
  'work',
  'games',
  'other',
])
/** What a position stands for: where the application was made, where the applicant lives and works, where the phone was lately. */
export const positionKinds = dictionary('POSITION_KIND', ['apply', 'home', 'work', 'recent'])

const degrees = (most: number) =>
  z
    .string()
    .regex(/^-?\d{1,3}(\.\d{1,7})?$/, 'validation.wrongValue')
    .refine(value => Math.abs(Number(value)) <= most, 'validation.wrongValue')
const count = () => z.int().min(0).max(1_000_000).meta({ kind: 'int' })

/** Somebody whom the applicant talks with, from the phone's own record. */
export const Affinity = z.strictObject({
  contactName: field.text(),
  contactPhone: field.phone(),
  callCount: count(),
  smsCount: count(),
  callMinutes: count(),
  lastCallTime: field.time(),
  inPhoneBook: field.flag(),
})
/** An app on the phone. */
export const App = z.strictObject({
  packageName: field.key(120),
  appTitle: field.text(80),
  appCategory: field.dict(appCategories),
  installTime: field.time(),
})
/** A place where the phone was; degrees as decimals. */
export const Position = z.strictObject({
  positionKind: field.dict(positionKinds),
  latitude: degrees(90),
  longitude: degrees(180),
  accuracyMeters: count(),
  addressText: field.text(200),
  capturedTime: field.time(),
})
/** A month of a SIM card. */
export const OperatorMonth = z.strictObject({
  month: field.month(),
  calls: count(),
  sms: count(),
  topUps: count(),
  topUpAmount: field.money(),
  /** Of the calls, those between 22:00 and 06:00. */
  nightCalls: count(),
})
/** What the mobile network says of the applicant's SIM card. */
export const Operator = z.strictObject({
  phoneNetwork: field.dict(phoneNetworks),
  simRegisteredName: field.customerName(),
  simSince: field.date(),
  months: z.array(OperatorMonth).max(12),
})
/** The applicant's face as the partner's camera took it: how well it fits the picture of the ID, and its features for finding it again. */
export const Face = z.strictObject({
  faceScore: z.string().regex(/^(0(\.\d{1,3})?|1(\.0{1,3})?)$/, 'validation.wrongValue'),
  features: z.array(z.number().min(-1).max(1)).length(16),
})

/** What the partner's app collected with the applicant's consent; what nobody consented to is not kept. */
export const Collected = z.strictObject({
  affinity: z.array(Affinity).max(50).optional(),
  apps: z.array(App).max(300).optional(),
  positions: z.array(Position).max(60).optional(),
  operator: Operator.optional(),
  face: Face.optional(),
  bvn: z.string().regex(bvnFormat, 'validation.wrongValue').meta({ kind: 'text', example: '22772000031' }).optional(),
})
export type Collected = z.output<typeof Collected>
