import { dictionary, field } from '../fields.ts'

/** Places of an app where products of the supermarket are shown. */
export const shelfSlots = dictionary('RECOMMEND_SLOT', [
  'home_top',
  'refused_page',
  'settled_page',
  'supermarket_list',
  'telemarketing',
  'sms',
])
/** Customers who have never had a loan paid out, and those who have. */
export const marketCustomers = dictionary('MARKET_CUSTOMER', ['new', 'old'])
/** How a customer arrives at a partner: with the number of the click alone, or at a form that is filled in with what they agreed to. */
export const handoffs = dictionary('MARKET_HANDOFF', ['link', 'prefill'])
/** What terms of a product are counted in. */
export const termUnits = dictionary('TERM_UNIT', ['day', 'month'])

/** How long after a click a partner may still report what became of it, in days. */
export const clickDays = 90

/** What counts in the last seven days of something that is shown, clicked and applied for. */
export const counters = {
  impressionCount: field.int(),
  clickCount: field.int(),
  /** Clicks of a hundred times shown; null where it was not shown. */
  clickRate: field.percent().nullable(),
  applyCount: field.int(),
  paidOutCount: field.int(),
  /** Payouts of a hundred clicks; null without a click. */
  conversionRate: field.percent().nullable(),
  revenueAmount: field.money(),
}
