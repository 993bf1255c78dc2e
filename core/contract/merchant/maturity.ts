import { z } from 'zod'
import { config } from '../config.ts'
import type { Flaw } from '../config-versions.ts'
import { endpoint, noun } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'

const shifts = dictionary('DUE_SHIFT', ['none', 'next_working_day'])
/** Events of customers that a reminder may be. */
const nodes = dictionary('REMINDER_NODE', ['bill.dueIn2', 'bill.dueToday'])

/** Most reminders of one bill, and how many days before it falls due the first may come. */
const maxReminders = 6
const firstDay = 7
const between = (min: number, max: number) =>
  field.int().min(min, 'validation.wrongValue').max(max, 'validation.wrongValue')

const form = {
  dueShift: field.dict(shifts),
  reminderPlan: field.rows(
    { dayOffset: between(-firstDay, 0), time: field.clock('08:00', '20:00'), nodeCode: field.dict(nodes) },
    maxReminders,
  ),
  /** Days from the due date on which an extension is offered, from and to. */
  extensionFromDay: between(-firstDay, 0),
  extensionToDay: between(0, 30),
}

type Reminder = { dayOffset: number; time: string }

/** Two reminders at one time are one message too many. */
const flaw = ({ reminderPlan }: Readonly<Record<string, unknown>>): Flaw | null => {
  const times = ((reminderPlan ?? []) as Reminder[]).map(({ dayOffset, time }) => `${dayOffset} ${time}`)
  return new Set(times).size === times.length ? null : { path: 'reminderPlan', message: 'validation.reminderTwice' }
}

/** What happens around the due date: for all, for a merchant, or for one of its products. */
export const maturities = config({
  name: 'maturity',
  path: '/merchant/maturity',
  area: 'merchant:maturity',
  table: 'maturity_config',
  key: 'maturityNo',
  row: {
    merchantNo: field.merchant().nullable(),
    merchantName: field.text().nullable(),
    productNo: field.product().nullable(),
    productName: field.text().nullable(),
    /** Bills that fall due from today on in seven days, of the orders that the row is for. */
    billsDue: field.int(),
  },
  form: {},
  create: { merchantNo: field.merchant().optional(), productNo: field.product().optional() },
  versions: { form, flaw, effect: { openBills: field.int() } },
  filters: {
    merchantNo: z.array(field.merchant()).optional(),
    productNo: z.array(field.product()).optional(),
    dueShift: z.array(field.dict(shifts)).optional(),
  },
  sort: ['effectiveTime'],
})

const perm = 'merchant:maturity:page'
const daysAtOnce = 62

const Day = z.object({
  date: field.date(),
  count: field.int(),
  amount: field.money(),
  /** The holiday of the day in the language of the reader. */
  holiday: field.text(64).nullable(),
  working: field.flag(),
})
export type LoadDay = z.output<typeof Day>

const Planned = z.object({
  installmentNo: field.int(),
  dueDate: field.date(),
  /** The day by the terms, before it was moved. */
  termDate: field.date(),
  reminders: z.array(z.object({ date: field.date(), time: field.clock(), nodeCode: field.dict(nodes) })),
  extensionFrom: field.date(),
  extensionTo: field.date(),
})
export type PlannedBill = z.output<typeof Planned>

/** Calls of due-day rules and of the holiday calendar. */
export const maturity = noun('merchant/maturity', {
  ...maturities.calls,
  /** The calendar of a customer who is paid out on a day, by a version or by what somebody is typing. */
  preview: endpoint({
    method: 'POST',
    path: '/merchant/maturity/preview',
    perm,
    input: z.strictObject({ draft: z.strictObject(form), payoutDate: field.date(), productNo: field.product() }),
    output: z.object({ bills: z.array(Planned) }),
  }),
  /** Bills that fall due on each day, within the data rule of the reader, of the orders that a row is for. */
  load: endpoint({
    method: 'POST',
    path: '/merchant/maturity/load',
    perm,
    input: z
      .strictObject({ from: field.date(), to: field.date(), maturityNo: field.key().optional() })
      .refine(({ from, to }) => from <= to && Date.parse(to) - Date.parse(from) < daysAtOnce * 86_400_000, {
        path: ['to'],
        message: 'validation.wrongValue',
      }),
    output: z.object({ list: z.array(Day) }),
  }),
})
